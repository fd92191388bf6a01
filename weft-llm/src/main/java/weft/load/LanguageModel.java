package weft.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weft.backend.Device;
import weft.chat.Answer;
import weft.chat.ChatOptions;
import weft.chat.ChatTurn;
import weft.chat.ConstraintMask;
import weft.chat.Conversation;
import weft.chat.Message;
import weft.chat.Sight;
import weft.chat.TokenText;
import weft.constrain.Constraint;
import weft.constrain.Grammar;
import weft.constrain.Vocabulary;
import weft.experts.Traffic;
import weft.format.Checkpoint;
import weft.generate.DraftOptions;
import weft.generate.Drafter;
import weft.generate.Engine;
import weft.generate.EngineReport;
import weft.generate.HeadedSequence;
import weft.generate.Mask;
import weft.generate.Model;
import weft.generate.ModelDrafter;
import weft.generate.Piece;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Session;
import weft.generate.Speculation;
import weft.generate.Ticket;
import weft.models.Families;
import weft.net.Family;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * A model that is ready to be used: owns its mapped files, its device and all that was compiled.
 * Safe for all threads: replies that are asked for at the same time are made together. Whoever
 * loads one closes it; one that is forgotten is warned of.
 */
public final class LanguageModel implements AutoCloseable {
  /** The point that heads read: behind the last norm. */
  private static final String FINAL = "final";

  private final Checkpoint checkpoint;
  private final Family family;
  private final CompiledModel model;
  private final Heads heads;
  private final Map<DraftOptions, Drafter> drafters = new ConcurrentHashMap<>();
  private final Guessing guessing;
  private final Profile profile;
  private final TextParts text;
  private final Set<Integer> stopTokens;
  private final Replies replies;
  private final Forgotten forgotten;
  private final Runnable afterwards;
  private final Speaking speaking;
  private final Optional<Sight> sight;
  private final Supplier<Vocabulary> vocabulary;

  private LanguageModel(
      Checkpoint checkpoint,
      Plans plans,
      CompiledModel model,
      LoadOptions options,
      Runnable afterwards) {
    this.checkpoint = checkpoint;
    this.family = plans.family();
    this.model = model;
    this.heads = new Heads(plans, model);
    this.profile = options.profile();
    this.text = TextParts.of(checkpoint);
    this.stopTokens = Set.copyOf(StopTokens.of(checkpoint));
    this.sight = Vision.of(checkpoint, plans, model, text, options);
    this.replies = new Replies(model, options.capacity());
    this.guessing = Guessing.of(this, options);
    this.forgotten = Forgotten.watch(this, checkpoint.path(), options.warnings());
    this.afterwards = afterwards;
    this.speaking =
        new Speaking(name(checkpoint), text, this::usual, this::sight, replies, options.warnings());
    this.vocabulary = new Once<>(() -> ConstraintMask.vocabulary(tokenizer(), stopTokens));
  }

  /** Loads Weft Tiny, the model in the library {@code dev.weft:weft-builtin}. */
  public static LanguageModel builtIn() {
    return builtIn(LoadOptions.standard());
  }

  /** Loads the model that comes with Weft as {@link #builtIn()} does, with other choices. */
  public static LanguageModel builtIn(LoadOptions options) {
    return BuiltIn.load(Objects.requireNonNull(options, "options"));
  }

  /** Loads a {@code .gguf} file, or a folder with {@code config.json} and safetensors. */
  public static LanguageModel load(Path path) {
    return load(path, LoadOptions.standard());
  }

  /** Loads a model as {@link #load(Path)} does, with other choices. */
  public static LanguageModel load(Path path, LoadOptions options) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    return load(path, options, () -> {});
  }

  /** {@code afterwards} is run when the model is closed, or cannot be loaded. */
  static LanguageModel load(Path path, LoadOptions options, Runnable afterwards) {
    options.progress().accept("mapping " + path.getFileName());
    try {
      var mapped = Checkpoint.open(path, options.config());
      try {
        return mapped.files().reading(() -> loaded(mapped, options, afterwards));
      } catch (RuntimeException | Error e) {
        mapped.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      afterwards.run();
      throw e;
    }
  }

  private static LanguageModel loaded(Checkpoint mapped, LoadOptions options, Runnable afterwards) {
    var family = familyOf(mapped).orElseThrow(() -> unknownFamily(mapped));
    var kept = SealedFolder.open(options.programCache(), options.warnings());
    var deviceOptions = DeviceOptions.of(CheckpointView.of(mapped, family), options, kept);
    var device = Backends.open(options.backend(), deviceOptions, options.devices());
    device.remarks().forEach(options.warnings());
    var checkpoint = mapped;
    try {
      checkpoint = Resident.of(mapped, device, options);
      var view = CheckpointView.of(checkpoint, family);
      var kvType = deviceOptions.kvType();
      var plans =
          new Plans(view, family, device, options.profile(), options.contextLength(), kvType);
      var model = compiled(checkpoint, device, plans, options, kept);
      try {
        if (!options.isLooking()) MemoryFit.require(model, options);
        if (options.isWarmed()) WarmUp.of(model, checkpoint, options);
        return new LanguageModel(checkpoint, plans, model, options, afterwards);
      } catch (RuntimeException | Error e) {
        model.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      checkpoint.close();
      device.close();
      throw e;
    }
  }

  /** The family that a checkpoint announces; empty when weft does not run it. */
  public static Optional<Family> familyOf(Checkpoint checkpoint) {
    return CheckpointView.announced(checkpoint).stream()
        .flatMap(name -> Families.all().stream().filter(f -> names(f, checkpoint).contains(name)))
        .findFirst();
  }

  private static Set<String> names(Family family, Checkpoint checkpoint) {
    return switch (checkpoint.format()) {
      case GGUF -> family.ggufArchitectures();
      case SAFETENSORS -> family.transformersTypes();
    };
  }

  private static LoadException unknownFamily(Checkpoint checkpoint) {
    var announced = CheckpointView.announced(checkpoint);
    return new LoadException(
        "the architecture of "
            + checkpoint.path().getFileName()
            + " is "
            + (announced.isEmpty() ? "not said" : announced.getFirst())
            + "; weft runs "
            + Families.all().stream().map(Family::name).toList());
  }

  private static CompiledModel compiled(
      Checkpoint checkpoint,
      Device device,
      Plans plans,
      LoadOptions options,
      Optional<SealedFolder> kept) {
    options.progress().accept("building the graph");
    plans.beyond().ifPresent(options.warnings());
    var plan = plans.trunk();
    plan.remarks().forEach(options.warnings());
    if (options.experts().isPresent() && !plan.hasExperts()) {
      options.warnings().accept("memory for experts was asked for, but this model has no experts");
    }
    var programs = new ProgramCache(kept);
    var loader = new ProgramLoader(device, plan, programs, options.progress(), options.warnings());
    return new CompiledModel(checkpoint, device, plan, loader);
  }

  /** Queues a request; replies that are asked for at the same time are made together. */
  public Ticket submit(Request request) {
    return replies.engine().submit(request);
  }

  /** Queues requests for several replies to one prompt, all or none; it is read once. */
  public List<Ticket> submit(List<Request> requests) {
    return replies.engine().submit(requests);
  }

  /**
   * Waits for the reply to a request; throws what went wrong as a {@link
   * weft.generate.GenerateException}. An interrupt ends the reply, too.
   */
  public Reply generate(Request request) {
    return replies.engine().generate(request);
  }

  /** The reply to a request as far as it has come by then: a late one is cancelled. */
  public Reply generate(Request request, Duration patience) {
    return replies.engine().generate(request, patience);
  }

  /** Goes on from a text, greedily, to where the model ends it. */
  public Reply generate(String prompt) {
    return generate(request(prompt));
  }

  /** The pieces of a reply as they come; closing the stream ends the reply. */
  public Stream<Piece> stream(Request request) {
    return replies.engine().stream(request);
  }

  /** Learns what steps take before somebody waits for them; {@link Engine#rehearse} says how. */
  public void rehearse(Duration most) {
    replies.engine().rehearse(most);
  }

  /** What the model does for all who use it now, and has done since it was loaded. */
  public EngineReport report() {
    return replies.report();
  }

  /** What experts in a budget have cost so far; empty where none is set, or the model has none. */
  public Optional<Traffic> experts() {
    return model.experts();
  }

  /**
   * Asks one question, in a conversation of its own, and waits for the answer; to go on with it,
   * hold a {@link #conversation}.
   */
  public Answer chat(String question) {
    return conversation().ask(question);
  }

  /** A new conversation with the model; any number of them may share it. */
  public Conversation conversation() {
    replies.requireOpen();
    return new Conversation(speaking);
  }

  /** The model's next turn in a chat that is kept elsewhere; {@link #submit} takes its request. */
  public ChatTurn turn(List<Message> messages, ChatOptions options) {
    replies.requireOpen();
    return ChatTurn.of(speaking, messages, options);
  }

  private static String name(Checkpoint checkpoint) {
    return Optional.ofNullable(checkpoint.path().getFileName()).map(Path::toString).orElse("");
  }

  /**
   * The model as hands drive it: {@link weft.generate.Sequence} takes it. Closing it is this
   * object's job.
   */
  public Model model() {
    return model;
  }

  /**
   * The checkpoint's own head for guessing ahead (multi-token prediction), if it has one. A step of
   * it takes, beside each token, the row that the token before it has at the point {@code final} of
   * the model ({@link #hidden}, {@link weft.generate.Tap}), and foretells the token behind; to
   * guess on, its own row at {@code final} takes that place. It shares the model's weights and
   * memory and is closed with it.
   */
  public Optional<Model> head() {
    return head(DraftOptions.ALL_TOKENS);
  }

  private Optional<Model> head(int vocabulary) {
    replies.requireOpen();
    return heads.over(vocabulary).map(Model.class::cast);
  }

  /**
   * Guesses by the checkpoint's own {@link #head}, if it has one, for {@link
   * weft.generate.Speculation}. The same for the same options, so that all replies which draft are
   * guessed at in one pass.
   */
  public Optional<Drafter> mtpDrafter(DraftOptions options) {
    Objects.requireNonNull(options, "options");
    return head(options.vocabulary())
        .map(head -> drafters.computeIfAbsent(options, o -> ModelDrafter.ofHead(head, FINAL, o)));
  }

  /** Guesses by the checkpoint's own head, if it has one, with the usual options. */
  public Optional<Drafter> mtpDrafter() {
    return mtpDrafter(DraftOptions.standard());
  }

  /**
   * A text that the model and its {@link #head} go through together, if it has one, driven by hand;
   * whoever opens it closes it.
   */
  public Optional<HeadedSequence> headedSequence() {
    return head().map(head -> HeadedSequence.open(model, head, FINAL));
  }

  /**
   * Guesses by another model, which was loaded for this and is closed by who loaded it, after the
   * replies that it guesses for. One whose tokens are not this model's is refused, with what
   * differs.
   */
  public Drafter draftDrafter(LanguageModel draft, DraftOptions options) {
    Objects.requireNonNull(draft, "draft");
    Objects.requireNonNull(options, "options");
    SameVocabulary.require(this, draft);
    return ModelDrafter.ofModel(draft.model, options);
  }

  /**
   * What it looks at pictures with, where it has a vision tower: in its folder, beside its file, or
   * named by {@link LoadOptions#withTower}. The rows that a picture is can be part of a request.
   */
  public Optional<Sight> sight() {
    return sight;
  }

  /** The checkpoint it was loaded from, for as long as this is open. */
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  /** The family that it belongs to. */
  public Family family() {
    return family;
  }

  /** How many tokens a prompt and its reply may have together. */
  public int contextLength() {
    return model.contextLength();
  }

  /** The tokenizer and the chat template, which are read when they are first asked for. */
  public TextParts text() {
    return text;
  }

  /** The checkpoint's tokenizer; without one it is an error that says what is missing. */
  public Tokenizer tokenizer() {
    return text.tokenizer().orElseThrow(() -> text.noTokenizer());
  }

  /** Going on from a text; the reply comes as text too and ends where the model ends it. */
  public Request request(String prompt) {
    Objects.requireNonNull(prompt, "prompt");
    replies.requireOpen();
    return request(tokenizer().encode(prompt, Surround.ADDED, SpecialText.PARSED));
  }

  /**
   * Going on from tokens to where the model ends the text; the reply comes as text, too, where the
   * checkpoint has a tokenizer.
   */
  public Request request(int... prompt) {
    var request = bare(prompt);
    var tokens = prompt.clone();
    return text.tokenizer()
        .map(known -> request.withText(() -> TokenText.after(known, tokens)))
        .orElse(request);
  }

  /** As {@link #request(int...)}, but the reply is tokens alone: no tokenizer is looked for. */
  public Request bare(int... prompt) {
    replies.requireOpen();
    return usual(Request.of(prompt));
  }

  private Request usual(Request request) {
    return request.withEnds(stopTokens).withSpeculation(guessing.speculation());
  }

  /** Who guesses ahead for replies whose request does not say it: {@link LoadOptions#drafts}. */
  public Speculation speculation() {
    return guessing.speculation();
  }

  /**
   * Keeps replies within a grammar, for {@link Request#withMask}. What cannot be kept is refused
   * here, by a {@link weft.constrain.ConstrainException}; one serves any number of requests, which
   * share what it learns.
   */
  public Supplier<Mask> constrain(Grammar grammar) {
    Objects.requireNonNull(grammar, "grammar");
    var constraint = Constraint.of(grammar, vocabulary.get());
    var tokenizer = tokenizer();
    return () -> ConstraintMask.of(constraint, tokenizer);
  }

  /** The tokens that end a reply; empty when the checkpoint does not say. */
  public Set<Integer> stopTokens() {
    return stopTokens;
  }

  /**
   * The points of the model whose rows {@link #hidden} gives, in the order they are computed:
   * {@code embedding}, {@code layer.0} and so on, and {@code final}, after the last norm and before
   * the projection to the vocabulary.
   */
  public List<String> points() {
    return model.plan().points();
  }

  /** What a text has at a point of the model, from its beginning: a row for each token. */
  public float[][] hidden(String point, int... tokens) {
    Objects.requireNonNull(point, "point");
    return hidden(point, () -> {}, tokens);
  }

  /** The same; {@code between} is called before each step, and ends it by what it throws. */
  public float[][] hidden(String point, Runnable between, int... tokens) {
    Objects.requireNonNull(point, "point");
    Objects.requireNonNull(between, "between");
    Objects.requireNonNull(tokens, "tokens");
    return model.hidden(point, tokens, between);
  }

  /** What leaves each layer on this text. */
  public List<LayerReport> layers(int... tokens) {
    return model.layers(tokens);
  }

  /** Measures every launch from now on, which costs a little speed. */
  public Trace trace() {
    return model.trace();
  }

  /** What one more token for each of these sessions of the model has to do. */
  public Work decodeWork(List<? extends Session> sessions) {
    return model.decodeWork(sessions);
  }

  /** How the steps of a phase are compiled, pass by pass. */
  public Explanation explain(Phase phase) {
    return model.explain(phase, profile.forcedToReference());
  }

  /** How many programs were compiled so far, those kept from earlier runs aside. */
  public int compilations() {
    return model.compilations();
  }

  CompiledModel compiled() {
    return model;
  }

  /**
   * Ends the replies in the making, waits for that, and gives back all there is; a second time does
   * nothing.
   */
  @Override
  public void close() {
    replies.close();
    forgotten.isClosed();
    synchronized (this) {
      guessing.close();
      model.close();
      checkpoint.close();
      afterwards.run();
    }
  }
}
