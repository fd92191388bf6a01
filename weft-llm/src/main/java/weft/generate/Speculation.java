package weft.generate;

import java.util.Objects;

/** Who guesses ahead, and how many tokens at most in one forward pass. */
public record Speculation(Drafter drafter, int length) {
  public static final Speculation NONE = new Speculation(Drafter.NONE, 0);

  public Speculation {
    Objects.requireNonNull(drafter, "drafter");
    if (length < 0) {
      throw new GenerateException("a draft has 0 or more tokens, got a length of " + length);
    }
  }
}
