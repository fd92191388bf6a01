package weft.serve.ask;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import weft.generate.GenerateException;
import weft.generate.Scores;
import weft.generate.StepRefusedException;
import weft.serve.metrics.Meters;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;
import weft.text.tokenizer.SpecialTokens;

/** Answers what is asked with the models there are. Safe for all threads. */
public final class Answering {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final Shelf shelf;
  private final Meters meters;
  private final Remote remote;
  private final FormMasks masks = new FormMasks();
  private final Set<Answers> running = ConcurrentHashMap.newKeySet();

  /** Answers those who send all that they ask about. */
  public Answering(Shelf shelf, Meters meters) {
    this(shelf, meters, Remote.NONE);
  }

  /** {@code remote} fetches the images that clients name. */
  public Answering(Shelf shelf, Meters meters, Remote remote) {
    this.shelf = shelf;
    this.meters = meters;
    this.remote = remote;
  }

  /**
   * Tells those who wait for an answer that nothing happens, where nothing does: called every
   * second or so, by whoever has clients that may leave or lose their patience meanwhile.
   */
  public void beat() {
    running.forEach(Answers::beat);
  }

  /** For the images of one request. */
  public Images images() {
    return new Images(remote);
  }

  /** The models that there are. */
  public Shelf shelf() {
    return shelf;
  }

  /** The name that a model is served under, by that which a client gave; none means the first. */
  private String known(String model) {
    var names = shelf.names();
    var name = model.equals(Ask.FIRST_MODEL) ? names.getFirst() : model;
    if (!names.contains(name)) throw new ProblemException(new Problem.UnknownModel(name, names));
    return name;
  }

  /** Unloads a model that nobody uses; whoever asks for it next has it loaded. Says its name. */
  public String unload(String model) {
    var name = known(model);
    shelf.release(name);
    return name;
  }

  /** A model by the name that a client gave; none means the first served. */
  public Shelf.Lease lend(String model) {
    var name = known(model);
    try {
      return shelf.lend(name).orElseThrow(() -> new ProblemException(new Problem.Busy(RETRY)));
    } catch (ServeException e) {
      throw new ProblemException(new Problem.Leaving(RETRY), e);
    } catch (ProblemException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new ProblemException(new Problem.UnloadableModel(name), e);
    }
  }

  /** The text of tokens, control tokens included. */
  public String text(String model, int[] tokens) {
    try (var lease = lend(model)) {
      return lease.model().tokenizer().decode(tokens, SpecialTokens.SHOWN);
    }
  }

  /**
   * How likely each token of a text or of tokens was, given those before it; the one that the model
   * itself puts before texts is left out.
   */
  public List<Chance> chances(String model, Prompt prompt, int alternatives, Client client) {
    try (var lease = lend(model)) {
      var tokenizer = lease.model().tokenizer();
      var tokens = Prepared.tokens(lease.model(), prompt, lease.model().contextLength());
      var pieces = Scores.of(lease.model().model(), tokens, alternatives, client::requireThere);
      boolean isBegun = prompt instanceof Prompt.Text && tokenizer.bos().orElse(-1) == tokens[0];
      return pieces.stream()
          .skip(isBegun ? 1 : 0)
          .map(piece -> Chance.of(piece, tokenizer))
          .toList();
    } catch (StepRefusedException e) {
      throw new ProblemException(new Problem.Busy(RETRY), e);
    }
  }

  /** As {@link #answer(List, Consumer)}, where no answer is to have a token. */
  public void silence(List<Ask> asks, Consumer<Event> hearer) {
    try (var lease = lend(asks.getFirst().model())) {
      int tokens =
          asks.stream()
              .mapToInt(ask -> Prepared.of(lease.model(), ask, masks).tokens().length)
              .sum();
      hearer.accept(new Event.Begun(lease.name(), tokens));
      int answers = asks.stream().mapToInt(Ask::count).sum();
      for (int i = 0; i < answers; i++) hearer.accept(new Event.Ended(i, Event.End.LENGTH, ""));
      meters.tokens(tokens, 0, 0);
      hearer.accept(new Event.Spent(Cost.ofPrompts(tokens)));
    }
  }

  /** What a model's template makes of a conversation. */
  public String prompt(String model, Prompt.Talk talk) {
    try (var lease = lend(model)) {
      return Prepared.text(lease.model(), talk);
    }
  }

  /** Counts tokens that were read without an answer. */
  public void count(int tokens) {
    meters.tokens(tokens, 0, 0);
  }

  /** As {@link #answer(List, Consumer)}, for one prompt. */
  public void answer(Ask ask, Consumer<Event> hearer) {
    answer(List.of(ask), hearer);
  }

  /**
   * Answers prompts to one model together, and tells what happens on the calling thread, which it
   * takes until the end. The answers to the second prompt are counted behind those to the first.
   * Where the hearer throws, or the thread is interrupted, the answers end within a step.
   */
  public void answer(List<Ask> asks, Consumer<Event> hearer) {
    long start = System.nanoTime();
    try (var lease = lend(asks.getFirst().model())) {
      var loading = Duration.ofNanos(System.nanoTime() - start);
      var model = lease.model();
      var prompts = asks.stream().map(ask -> Prepared.of(model, ask, masks)).toList();
      int tokens = prompts.stream().mapToInt(each -> each.tokens().length).sum();
      var begun = new Event.Begun(lease.name(), tokens);
      var answers = new Answers(model, hearer, meters, start);
      running.add(answers);
      try {
        answers.run(asks, prompts, begun, loading);
      } finally {
        running.remove(answers);
      }
    } catch (GenerateException e) {
      throw new ProblemException(Prepared.problem(e), e);
    }
  }

  /** How many tokens the prompt of an ask has. */
  public int promptTokens(Ask ask) {
    try (var lease = lend(ask.model())) {
      return Prepared.of(lease.model(), ask, masks).tokens().length;
    }
  }
}
