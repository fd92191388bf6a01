package weft.serve.ask;

import java.time.Duration;
import weft.generate.Guesses;

/**
 * What all answers to a request took together.
 *
 * @param cachedTokens those of the prompt that were known already
 * @param thoughtTokens those of the answers that were thinking
 * @param guesses tokens that were guessed ahead and came true, by their depth
 * @param passes of the model that gave tokens
 * @param loading until the model was there
 * @param prefill from the first pass to the first token
 * @param decode from the first token to the last
 */
public record Cost(
    int promptTokens,
    int cachedTokens,
    int answerTokens,
    int thoughtTokens,
    Guesses guesses,
    int passes,
    Duration loading,
    Duration prefill,
    Duration decode) {
  /** Of prompts that nothing was to follow. */
  public static Cost ofPrompts(int tokens) {
    return new Cost(tokens, 0, 0, 0, Guesses.NONE, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  public int totalTokens() {
    return promptTokens + answerTokens;
  }
}
