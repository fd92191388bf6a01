package weft.serve.ask;

import java.time.Duration;

/**
 * What all answers to a request took together.
 *
 * @param cachedTokens those of the prompt that were known already
 * @param thoughtTokens those of the answers that were thinking
 * @param loading until the model was there
 * @param prefill from the first pass to the first token
 * @param decode from the first token to the last
 */
public record Cost(
    int promptTokens,
    int cachedTokens,
    int answerTokens,
    int thoughtTokens,
    Duration loading,
    Duration prefill,
    Duration decode) {
  public int totalTokens() {
    return promptTokens + answerTokens;
  }
}
