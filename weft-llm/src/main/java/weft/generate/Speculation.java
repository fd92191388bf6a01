package weft.generate;

import java.util.Objects;

/**
 * Who guesses ahead, and how many tokens at most in one forward pass. A value, made by {@link #of}
 * or {@link #adaptive}; safe for all threads, as far as its drafter is.
 */
public final class Speculation {
  public static final Speculation NONE = new Speculation(Drafter.NONE, 0, Length.FIXED);

  private enum Length {
    FIXED,
    ADAPTIVE
  }

  private final Drafter drafter;
  private final int most;
  private final Length length;

  private Speculation(Drafter drafter, int most, Length length) {
    this.drafter = Objects.requireNonNull(drafter, "drafter");
    if (most < 0) {
      throw new GenerateException("a draft has 0 or more tokens, got a length of " + most);
    }
    this.most = most;
    this.length = length;
  }

  /** Guesses of this drafter, so many tokens of them in every pass that has room. */
  public static Speculation of(Drafter drafter, int length) {
    return new Speculation(drafter, length, Length.FIXED);
  }

  /**
   * Guesses of this drafter, so many tokens of them at most: as many as pay, by how often they have
   * come true and by what passes and drafts take on this machine, and none where none do.
   */
  public static Speculation adaptive(Drafter drafter, int most) {
    return new Speculation(drafter, most, Length.ADAPTIVE);
  }

  public Drafter drafter() {
    return drafter;
  }

  /** The most tokens of a draft. */
  public int length() {
    return most;
  }

  public boolean isAdaptive() {
    return length == Length.ADAPTIVE;
  }
}
