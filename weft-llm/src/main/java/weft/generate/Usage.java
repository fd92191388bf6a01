package weft.generate;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a reply cost.
 *
 * <p>A value, safe for all threads.
 */
public final class Usage {

  private final int promptTokens;
  private final int cachedTokens;
  private final int generatedTokens;
  private final int draftedTokens;
  private final int acceptedTokens;
  private final int forwards;
  private final String undrafted;
  private final Duration prefill;
  private final Duration decode;

  Usage(
      int promptTokens,
      int cachedTokens,
      int generatedTokens,
      int draftedTokens,
      int acceptedTokens,
      int forwards,
      String undrafted,
      Duration prefill,
      Duration decode) {
    this.promptTokens = promptTokens;
    this.cachedTokens = cachedTokens;
    this.generatedTokens = generatedTokens;
    this.draftedTokens = draftedTokens;
    this.acceptedTokens = acceptedTokens;
    this.forwards = forwards;
    this.undrafted = Objects.requireNonNull(undrafted, "undrafted");
    this.prefill = Objects.requireNonNull(prefill, "prefill");
    this.decode = Objects.requireNonNull(decode, "decode");
  }

  static Usage unstarted(int promptTokens) {
    return new Usage(promptTokens, 0, 0, 0, 0, 0, "", Duration.ZERO, Duration.ZERO);
  }

  /** Prompt tokens that had to be fed. */
  public int prefillTokens() {
    return promptTokens - cachedTokens;
  }

  /** Tokens made during {@link #decode}: all but the first, which the prefill gives. */
  public int decodeTokens() {
    return Math.max(0, generatedTokens - 1);
  }

  /** The length of the prompt. */
  public int promptTokens() {
    return promptTokens;
  }

  /** How many of them were not fed, since an earlier text began with them. */
  public int cachedTokens() {
    return cachedTokens;
  }

  /** The length of the reply. */
  public int generatedTokens() {
    return generatedTokens;
  }

  /** How many guesses were fed. */
  public int draftedTokens() {
    return draftedTokens;
  }

  /** How many of those came true. */
  public int acceptedTokens() {
    return acceptedTokens;
  }

  /** Forward passes it took part in. */
  public int forwards() {
    return forwards;
  }

  /** Why it went on without its drafter, where it did: a failure, or memory that was needed. */
  public Optional<String> draftingStopped() {
    return undrafted.isEmpty() ? Optional.empty() : Optional.of(undrafted);
  }

  /** From the first forward pass to the first token. */
  public Duration prefill() {
    return prefill;
  }

  /** From the first token to the last. */
  public Duration decode() {
    return decode;
  }
}
