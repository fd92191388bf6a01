package weft.generate;

import java.util.Objects;

/**
 * Who guesses ahead, and how many tokens at most in one forward pass. A value, made by {@link #of};
 * safe for all threads, as far as its drafter is.
 */
public final class Speculation {
  public static final Speculation NONE = new Speculation(Drafter.NONE, 0);

  private final Drafter drafter;
  private final int length;

  Speculation(Drafter drafter, int length) {
    this.drafter = Objects.requireNonNull(drafter, "drafter");
    if (length < 0) {
      throw new GenerateException("a draft has 0 or more tokens, got a length of " + length);
    }
    this.length = length;
  }

  /** Guesses of this drafter, so many tokens of them at most. */
  public static Speculation of(Drafter drafter, int length) {
    return new Speculation(drafter, length);
  }

  public Drafter drafter() {
    return drafter;
  }

  public int length() {
    return length;
  }
}
