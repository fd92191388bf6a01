package weft.generate;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What to generate: a prompt and the ways to go on from it. A value that can be used again, made by
 * {@link #of} and the {@code with} methods; what has state (mask and text) is supplied anew for
 * each turn. Safe for all threads, as far as what it is given is.
 */
public final class Request {
  public static final int NO_LOGPROBS = -1;

  private final int[] prompt;
  private final Sampling sampling;
  private final Stops stops;
  private final Set<Integer> ends;
  private final int logprobs;
  private final Speculation speculation;
  private final Supplier<? extends Mask> mask;
  private final Supplier<? extends TextStream> text;
  private final Listener listener;

  private Request(
      int[] prompt,
      Sampling sampling,
      Stops stops,
      Set<Integer> ends,
      int logprobs,
      Speculation speculation,
      Supplier<? extends Mask> mask,
      Supplier<? extends TextStream> text,
      Listener listener) {
    if (prompt.length == 0) {
      throw emptyPrompt();
    }
    if (logprobs < NO_LOGPROBS) {
      throw new GenerateException(
          "logprobs must be a count of alternatives, or -1 for none, got " + logprobs);
    }
    this.prompt = prompt;
    this.sampling = Objects.requireNonNull(sampling, "sampling");
    this.stops = Objects.requireNonNull(stops, "stops");
    this.ends = Set.copyOf(ends);
    this.logprobs = logprobs;
    this.speculation = Objects.requireNonNull(speculation, "speculation");
    this.mask = Objects.requireNonNull(mask, "mask");
    this.text = Objects.requireNonNull(text, "text");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /**
   * Greedy, to the end of the context, tokens only: the start for the {@code with} methods. It
   * knows of no model; a loaded model's own requests end where that model ends a text.
   */
  public static Request of(int... prompt) {
    return new Request(
        prompt.clone(),
        Sampling.GREEDY,
        Stops.NONE,
        Set.of(),
        NO_LOGPROBS,
        Speculation.NONE,
        () -> Mask.NONE,
        () -> TextStream.NONE,
        Listener.NONE);
  }

  public Request withSampling(Sampling value) {
    return new Request(prompt, value, stops, ends, logprobs, speculation, mask, text, listener);
  }

  /** Ends the reply by these, too; the model's end of the text goes on ending it. */
  public Request withStops(Stops value) {
    return new Request(prompt, sampling, value, ends, logprobs, speculation, mask, text, listener);
  }

  public Request withMaxTokens(int max) {
    return withStops(stops.withMaxTokens(max));
  }

  /** The tokens by which the model itself ends a text. */
  public Request withEnds(Set<Integer> ids) {
    return new Request(prompt, sampling, stops, ids, logprobs, speculation, mask, text, listener);
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
    return new Request(
        prompt, sampling, stops, ends, alternatives, speculation, mask, text, listener);
  }

  public Request withSpeculation(Speculation value) {
    return new Request(prompt, sampling, stops, ends, logprobs, value, mask, text, listener);
  }

  public Request withMask(Supplier<? extends Mask> value) {
    return new Request(prompt, sampling, stops, ends, logprobs, speculation, value, text, listener);
  }

  public Request withText(Supplier<? extends TextStream> value) {
    return new Request(prompt, sampling, stops, ends, logprobs, speculation, mask, value, listener);
  }

  public Request withListener(Listener value) {
    return new Request(prompt, sampling, stops, ends, logprobs, speculation, mask, text, value);
  }

  public int[] prompt() {
    return prompt.clone();
  }

  public Sampling sampling() {
    return sampling;
  }

  public Stops stops() {
    return stops;
  }

  public Set<Integer> ends() {
    return ends;
  }

  public int logprobs() {
    return logprobs;
  }

  public Speculation speculation() {
    return speculation;
  }

  public Supplier<? extends Mask> mask() {
    return mask;
  }

  public Supplier<? extends TextStream> text() {
    return text;
  }

  public Listener listener() {
    return listener;
  }

  /** All tokens that end the reply, whoever said so. */
  Set<Integer> stopTokens() {
    if (stops.tokens().isEmpty()) return ends;
    Set<Integer> all = new HashSet<>(ends);
    all.addAll(stops.tokens());
    return all;
  }

  /** Says what is wrong with this request for this model, if anything. */
  void requireFits(Model model) {
    if (prompt.length > model.contextLength()) {
      throw tooLong(prompt.length, model.contextLength());
    }
    Tokens.requireInVocabulary(prompt, model.vocabularySize());
    speculation.drafter().point().ifPresent(point -> requirePoint(point, model));
    for (int token : sampling.penalties().bias().keySet()) {
      if (token < 0 || token >= model.vocabularySize()) {
        throw new GenerateException(
            "logit bias names token "
                + token
                + ", but the vocabulary ends at "
                + (model.vocabularySize() - 1));
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
