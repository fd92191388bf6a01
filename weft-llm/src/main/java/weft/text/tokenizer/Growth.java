package weft.text.tokenizer;

import weft.text.TextException;

/**
 * The bound on how much longer a tokenizer's rules may make a text, so that a file cannot ask for
 * all memory.
 */
final class Growth {
  private static final int FACTOR = 64;
  private static final int ALLOWANCE = 1 << 16;

  private Growth() {}

  static void check(int before, int after) {
    if (after > (long) FACTOR * before + ALLOWANCE) {
      throw new TextException(
          "the tokenizer's rules make a text of "
              + before
              + " characters longer than "
              + after
              + ", which no real tokenizer does");
    }
  }
}
