package weft.generate;

import java.time.Duration;

/**
 * What a reply cost.
 *
 * @param promptTokens the length of the prompt
 * @param reusedTokens how many of them the session already held
 * @param generatedTokens the length of the reply
 * @param draftedTokens how many guesses were fed
 * @param acceptedTokens how many of those came true
 * @param forwards forward passes it took part in
 * @param prefill from the first forward pass to the first token
 * @param decode from the first token to the last
 */
public record Usage(
    int promptTokens,
    int reusedTokens,
    int generatedTokens,
    int draftedTokens,
    int acceptedTokens,
    int forwards,
    Duration prefill,
    Duration decode) {

  static Usage unstarted(int promptTokens) {
    return new Usage(promptTokens, 0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);
  }

  /** Prompt tokens that had to be fed. */
  public int prefillTokens() {
    return promptTokens - reusedTokens;
  }

  /** Tokens made during {@link #decode}: all but the first, which the prefill gives. */
  public int decodeTokens() {
    return Math.max(0, generatedTokens - 1);
  }
}
