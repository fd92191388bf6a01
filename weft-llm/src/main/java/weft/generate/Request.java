package weft.generate;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What to generate: a prompt and the ways to go on from it. A value that can be used again, made by
 * {@link #of} and the {@code with} methods; what has state (mask and text) is supplied anew for
 * each turn. Safe for all threads, as far as what it is given is.
 */
public final class Request {
  public static final int NO_LOGPROBS = -1;

  private final int[] prompt;
  private final Choices chosen;

  private Request(int[] prompt, Choices chosen) {
    this.prompt = prompt;
    this.chosen = chosen;
  }

  /** All but the prompt, while one of them is changed; nobody sees them but a copy. */
  private static final class Choices {
    private Sampling sampling = Sampling.GREEDY;
    private Stops stops = Stops.NONE;
    private Set<Integer> ends = Set.of();
    private int logprobs = NO_LOGPROBS;
    private Speculation speculation = Speculation.NONE;
    private Supplier<? extends Mask> mask = () -> Mask.NONE;
    private Supplier<? extends TextStream> text = () -> TextStream.NONE;
    private Listener listener = Listener.NONE;
    private Priority priority = Priority.NORMAL;
    private String isolation = "";
    private Album album = Album.NONE;

    private Choices copy() {
      var copy = new Choices();
      copy.sampling = sampling;
      copy.stops = stops;
      copy.ends = ends;
      copy.logprobs = logprobs;
      copy.speculation = speculation;
      copy.mask = mask;
      copy.text = text;
      copy.listener = listener;
      copy.priority = priority;
      copy.isolation = isolation;
      copy.album = album;
      return copy;
    }
  }

  private Request with(Consumer<Choices> change) {
    var copy = chosen.copy();
    change.accept(copy);
    return new Request(prompt, copy);
  }

  /**
   * Greedy, to the end of the context, tokens only: the start for the {@code with} methods. It
   * knows of no model; a loaded model's own requests end where that model ends a text.
   */
  public static Request of(int... prompt) {
    if (prompt.length == 0) {
      throw emptyPrompt();
    }
    return new Request(prompt.clone(), new Choices());
  }

  public Request withSampling(Sampling value) {
    Objects.requireNonNull(value, "sampling");
    return with(choices -> choices.sampling = value);
  }

  /** Ends the reply by these, too; the model's end of the text goes on ending it. */
  public Request withStops(Stops value) {
    Objects.requireNonNull(value, "stops");
    return with(choices -> choices.stops = value);
  }

  public Request withMaxTokens(int max) {
    return withStops(stops().withMaxTokens(max));
  }

  /** The tokens by which the model itself ends a text. */
  public Request withEnds(Set<Integer> ids) {
    Set<Integer> all = Set.copyOf(ids);
    return with(choices -> choices.ends = all);
  }

  /** Goes on where the model would end the text: its end is then a token like any other. */
  public Request ignoringEnds() {
    return withEnds(Set.of());
  }

  /**
   * How many likeliest alternatives each piece names; 0 for the chosen token's probability alone,
   * {@link #NO_LOGPROBS} for neither.
   */
  public Request withLogprobs(int alternatives) {
    if (alternatives < NO_LOGPROBS) {
      throw new GenerateException(
          "logprobs must be a count of alternatives, or -1 for none, got " + alternatives);
    }
    return with(choices -> choices.logprobs = alternatives);
  }

  public Request withSpeculation(Speculation value) {
    Objects.requireNonNull(value, "speculation");
    return with(choices -> choices.speculation = value);
  }

  public Request withMask(Supplier<? extends Mask> value) {
    Objects.requireNonNull(value, "mask");
    return with(choices -> choices.mask = value);
  }

  public Request withText(Supplier<? extends TextStream> value) {
    Objects.requireNonNull(value, "text");
    return with(choices -> choices.text = value);
  }

  public Request withListener(Listener value) {
    Objects.requireNonNull(value, "listener");
    return with(choices -> choices.listener = value);
  }

  /** Who is read before this and who after; {@link Priority#NORMAL} unless told. */
  public Request withPriority(Priority value) {
    Objects.requireNonNull(value, "priority");
    return with(choices -> choices.priority = value);
  }

  /**
   * Shares what was computed for earlier texts only with requests of the same key, for how soon a
   * reply begins tells what others have asked; all that name none share one.
   */
  public Request withIsolation(String key) {
    Objects.requireNonNull(key, "isolation");
    return with(choices -> choices.isolation = key);
  }

  /** The pictures whose rows are in the prompt, each where its id is, as often as it has rows. */
  public Request withAlbum(Album value) {
    Objects.requireNonNull(value, "album");
    value.requireIn(prompt);
    return with(choices -> choices.album = value);
  }

  public int[] prompt() {
    return prompt.clone();
  }

  public Sampling sampling() {
    return chosen.sampling;
  }

  public Stops stops() {
    return chosen.stops;
  }

  public Set<Integer> ends() {
    return chosen.ends;
  }

  public int logprobs() {
    return chosen.logprobs;
  }

  public Speculation speculation() {
    return chosen.speculation;
  }

  public Supplier<? extends Mask> mask() {
    return chosen.mask;
  }

  public Supplier<? extends TextStream> text() {
    return chosen.text;
  }

  public Listener listener() {
    return chosen.listener;
  }

  public Priority priority() {
    return chosen.priority;
  }

  public String isolation() {
    return chosen.isolation;
  }

  public Album album() {
    return chosen.album;
  }

  /** All tokens that end the reply, whoever said so. */
  Set<Integer> stopTokens() {
    if (stops().tokens().isEmpty()) return ends();
    Set<Integer> all = new HashSet<>(ends());
    all.addAll(stops().tokens());
    return all;
  }

  /** Says what is wrong with this request for this model, if anything. */
  void requireFits(Model model) {
    if (prompt.length > model.contextLength()) {
      throw tooLong(prompt.length, model.contextLength());
    }
    requireSeen(model);
    Tokens.requireInVocabulary(prompt, model.vocabularySize(), album());
    speculation().drafter().point().ifPresent(point -> requirePoint(point, model));
    for (int token : sampling().penalties().bias().keySet()) {
      if (token < 0 || token >= model.vocabularySize()) {
        throw new GenerateException(
            "logit bias names token "
                + token
                + ", but the vocabulary ends at "
                + (model.vocabularySize() - 1));
      }
    }
  }

  private void requireSeen(Model model) {
    for (Seen picture : album().pictures()) {
      if (!model.takes(picture)) {
        throw new GenerateException(
            picture
                + " of %d numbers each is not for this model: it takes those that its own sight gives, if it has any"
                    .formatted(picture.width()));
      }
    }
  }

  private static void requirePoint(String point, Model model) {
    if (!model.points().contains(point)) {
      throw new GenerateException(
          "the drafter learns from point %s, but the model has %s"
              .formatted(point, model.points().isEmpty() ? "none" : model.points()));
    }
  }

  static GenerateException emptyPrompt() {
    return new GenerateException(
        "the prompt is empty, and a model needs at least one token to go on from;"
            + " begin with the beginning-of-text token.");
  }

  static GenerateException tooLong(long tokens, int contextLength) {
    return new GenerateException(
        "the text has "
            + tokens
            + " tokens, but the context holds "
            + contextLength
            + "; shorten it or load the model with a longer context.");
  }
}
