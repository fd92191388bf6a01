package weft.generate;

import java.util.function.Supplier;

/**
 * What to generate: a prompt and the ways to go on from it. A plain value that can be used again,
 * for what has state (mask and text) is supplied anew for each turn.
 *
 * @param logprobs how many likeliest alternatives each piece names; 0 for the chosen token's
 *     probability alone, {@link #NO_LOGPROBS} for neither
 */
public record Request(
    int[] prompt,
    Sampling sampling,
    Stops stops,
    int logprobs,
    Speculation speculation,
    Supplier<? extends Mask> mask,
    Supplier<? extends TextStream> text,
    Listener listener) {
  public static final int NO_LOGPROBS = -1;

  public Request {
    if (prompt.length == 0) {
      throw emptyPrompt();
    }
    if (logprobs < NO_LOGPROBS) {
      throw new GenerateException(
          "logprobs must be a count of alternatives, or -1 for none, got " + logprobs);
    }
    prompt = prompt.clone();
  }

  /** Greedy, to the end of the context, tokens only: the start for the {@code with} methods. */
  public static Request of(int... prompt) {
    return new Request(
        prompt,
        Sampling.GREEDY,
        Stops.NONE,
        NO_LOGPROBS,
        Speculation.NONE,
        () -> Mask.NONE,
        () -> TextStream.NONE,
        Listener.NONE);
  }

  @Override
  public int[] prompt() {
    return prompt.clone();
  }

  public Request withSampling(Sampling value) {
    return new Request(prompt, value, stops, logprobs, speculation, mask, text, listener);
  }

  public Request withStops(Stops value) {
    return new Request(prompt, sampling, value, logprobs, speculation, mask, text, listener);
  }

  public Request withMaxTokens(int max) {
    return withStops(stops.withMaxTokens(max));
  }

  public Request withLogprobs(int alternatives) {
    return new Request(prompt, sampling, stops, alternatives, speculation, mask, text, listener);
  }

  public Request withSpeculation(Speculation value) {
    return new Request(prompt, sampling, stops, logprobs, value, mask, text, listener);
  }

  public Request withMask(Supplier<? extends Mask> value) {
    return new Request(prompt, sampling, stops, logprobs, speculation, value, text, listener);
  }

  public Request withText(Supplier<? extends TextStream> value) {
    return new Request(prompt, sampling, stops, logprobs, speculation, mask, value, listener);
  }

  public Request withListener(Listener value) {
    return new Request(prompt, sampling, stops, logprobs, speculation, mask, text, value);
  }

  /** Says what is wrong with this request for this model, if anything. */
  void requireFits(Model model) {
    if (prompt.length > model.contextLength()) {
      throw tooLong(prompt.length, model.contextLength());
    }
    Tokens.requireInVocabulary(prompt, model.vocabularySize());
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
