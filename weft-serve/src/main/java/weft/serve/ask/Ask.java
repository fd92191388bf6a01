package weft.serve.ask;

import java.util.Objects;
import java.util.function.Consumer;
import weft.generate.Priority;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Stops;

/**
 * What a client asks for, whatever dialect it speaks. A value, made by {@link #of} and the {@code
 * with} methods.
 */
public final class Ask {
  /** The model that is served first. */
  public static final String FIRST_MODEL = "";

  private final Choices chosen;

  private Ask(Choices chosen) {
    this.chosen = chosen;
  }

  /** What was chosen while one of it is changed; nobody sees it but a copy. */
  private static final class Choices {
    private final String model;
    private Prompt prompt;
    private Sampling sampling;
    private Stops stops = Stops.NONE;
    private int count = 1;
    private int logprobs = Request.NO_LOGPROBS;
    private Form form = new Form.Free();
    private boolean isIgnoringEnds;
    private String isolation = "";
    private Priority priority = Priority.NORMAL;

    private Choices(String model, Prompt prompt, Sampling sampling) {
      this.model = Objects.requireNonNull(model, "model");
      this.prompt = Objects.requireNonNull(prompt, "prompt");
      this.sampling = Objects.requireNonNull(sampling, "sampling");
    }

    private Choices copy() {
      var copy = new Choices(model, prompt, sampling);
      copy.stops = stops;
      copy.count = count;
      copy.logprobs = logprobs;
      copy.form = form;
      copy.isIgnoringEnds = isIgnoringEnds;
      copy.isolation = isolation;
      copy.priority = priority;
      return copy;
    }
  }

  private Ask with(Consumer<Choices> change) {
    var copy = chosen.copy();
    change.accept(copy);
    return new Ask(copy);
  }

  /** One answer to the model's own end, or to the end of its context. */
  public static Ask of(String model, Prompt prompt, Sampling sampling) {
    return new Ask(new Choices(model, prompt, sampling));
  }

  /** The same, of another prompt. */
  public Ask withPrompt(Prompt prompt) {
    return with(choices -> choices.prompt = Objects.requireNonNull(prompt, "prompt"));
  }

  public Ask withStops(Stops stops) {
    return with(choices -> choices.stops = Objects.requireNonNull(stops, "stops"));
  }

  /** How many answers to the same prompt; each has a seed of its own. */
  public Ask withCount(int answers) {
    return with(choices -> choices.count = answers);
  }

  /** How many likeliest alternatives each token names; {@link Request#NO_LOGPROBS} for neither. */
  public Ask withLogprobs(int alternatives) {
    return with(choices -> choices.logprobs = alternatives);
  }

  public Ask withForm(Form form) {
    return with(choices -> choices.form = Objects.requireNonNull(form, "form"));
  }

  /** Goes on where the model would end. */
  public Ask ignoringEnds() {
    return with(choices -> choices.isIgnoringEnds = true);
  }

  /** Shares nothing that can be told by timing with those of other keys. */
  public Ask withIsolation(String key) {
    return with(choices -> choices.isolation = Objects.requireNonNull(key, "key"));
  }

  /** Who goes first of those that wait. */
  public Ask withPriority(Priority priority) {
    return with(choices -> choices.priority = Objects.requireNonNull(priority, "priority"));
  }

  /** By the name it is served under; {@link #FIRST_MODEL} where the client named none. */
  public String model() {
    return chosen.model;
  }

  public Prompt prompt() {
    return chosen.prompt;
  }

  public Sampling sampling() {
    return chosen.sampling;
  }

  public Stops stops() {
    return chosen.stops;
  }

  public int count() {
    return chosen.count;
  }

  public int logprobs() {
    return chosen.logprobs;
  }

  public Form form() {
    return chosen.form;
  }

  public boolean isIgnoringEnds() {
    return chosen.isIgnoringEnds;
  }

  public String isolation() {
    return chosen.isolation;
  }

  public Priority priority() {
    return chosen.priority;
  }
}
