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
  private final Guesses guesses;
  private final int forwards;
  private final int passes;
  private final String undrafted;
  private final Duration prefill;
  private final Duration decode;

  Usage(
      int promptTokens,
      int cachedTokens,
      int generatedTokens,
      Guesses guesses,
      int forwards,
      int passes,
      String undrafted,
      Duration prefill,
      Duration decode) {
    this.promptTokens = promptTokens;
    this.cachedTokens = cachedTokens;
    this.generatedTokens = generatedTokens;
    this.guesses = Objects.requireNonNull(guesses, "guesses");
    this.forwards = forwards;
    this.passes = passes;
    this.undrafted = Objects.requireNonNull(undrafted, "undrafted");
    this.prefill = Objects.requireNonNull(prefill, "prefill");
    this.decode = Objects.requireNonNull(decode, "decode");
  }

  static Usage unstarted(int promptTokens) {
    return new Usage(promptTokens, 0, 0, Guesses.NONE, 0, 0, "", Duration.ZERO, Duration.ZERO);
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
    return (int) guesses.allDrafted();
  }

  /** How many of those came true. */
  public int acceptedTokens() {
    return (int) guesses.allAccepted();
  }

  /** Both, by the depth that they had in their drafts. */
  public Guesses guesses() {
    return guesses;
  }

  /** Forward passes it took part in. */
  public int forwards() {
    return forwards;
  }

  /** Those that gave tokens: the others read its prompt. */
  public int passes() {
    return passes;
  }

  /** How many tokens such a pass gave on average; more than 1 where guesses came true. */
  public double tokensPerPass() {
    return passes == 0 ? 0 : (double) generatedTokens / passes;
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
