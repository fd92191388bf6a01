package weft.load;

import java.util.Objects;
import weft.generate.DraftOptions;

/**
 * Who guesses ahead for the replies of a model, where a request does not say it itself. A value,
 * safe for all threads.
 *
 * @param most tokens of a draft at the most; as many as pay are made
 * @param options how a head or a draft model guesses
 */
public record Drafts(By by, int most, DraftOptions options) {
  /** Nobody does. */
  public static final Drafts NONE = new Drafts(By.NONE, 0, DraftOptions.standard());

  /**
   * A head guesses so many tokens of the vocabulary, its first ones: of Qwen3.5-0.8B's 248,320 the
   * projection alone would read two fifths of the model for each guess.
   */
  public static final int USUAL_VOCABULARY = 32_768;

  /** As many as are ever worth it where a pass of few rows takes little more than one of one. */
  public static final int USUAL = 8;

  /** Who guesses. */
  public enum By {
    /** The checkpoint's head, else the draft model that was given, else the text itself. */
    AUTO,
    /** Nobody. */
    NONE,
    /** The checkpoint's own head for multi-token prediction. */
    HEAD,
    /** A smaller model of the same vocabulary: {@link LoadOptions#withDraftModel}. */
    MODEL,
    /** The text itself, where it repeats what it said before. */
    LOOKUP
  }

  public Drafts {
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(options, "options");
    if (most < 0) throw new LoadException("a draft has 0 or more tokens at most, got " + most);
  }

  /** Drafts of as many tokens as are usual, by a head of the first tokens alone. */
  public static Drafts by(By by) {
    var options = DraftOptions.standard().withVocabulary(USUAL_VOCABULARY);
    return new Drafts(by, by == By.NONE ? 0 : USUAL, options);
  }

  /** The same with so many tokens at most. */
  public Drafts withMost(int tokens) {
    return new Drafts(by, tokens, options);
  }

  /** The same with another way to guess. */
  public Drafts withOptions(DraftOptions other) {
    return new Drafts(by, most, other);
  }
}
