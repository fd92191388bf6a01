package weft.generate;

/** Guesses the next tokens; a wrong guess costs time, never correctness. */
@FunctionalInterface
public interface Drafter {
  Drafter NONE = (known, max) -> new int[0];

  /** At most {@code max} tokens that may follow the text. */
  int[] propose(Tokens known, int max);
}
