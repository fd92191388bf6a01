package weft.text.regex;

import weft.text.TextException;

/**
 * The steps that all patterns together may take on one text. Matchers count every step they take
 * and every character they look at, so no pattern outlasts it, whatever it is made of.
 */
public final class Effort {
  /**
   * Real tokenizers take at most 55 on the texts that suit them least; a step takes nanoseconds.
   */
  private static final long MOST_STEPS_A_CHARACTER = 128;

  /** What any text may take: a tenth of a second. */
  private static final long MOST_STEPS = 10_000_000;

  private long characters;
  private long left = MOST_STEPS;

  private Effort() {}

  /** The effort that is due to a text of so many characters. */
  public static Effort on(int characters) {
    var effort = new Effort();
    effort.extend(characters);
    return effort;
  }

  /** Allows for more of a text that comes in parts. */
  public void extend(int more) {
    characters += more;
    left += MOST_STEPS_A_CHARACTER * more;
  }

  /**
   * Pays for steps.
   *
   * @throws TextException where there are not so many left
   */
  public void pay(long steps) {
    if (steps > left) {
      throw exhausted();
    }
    left -= steps;
  }

  long left() {
    return left;
  }

  TextException exhausted() {
    return new TextException(
        "the tokenizer's patterns need too much time or memory on a text of "
            + characters
            + " characters; encode it in smaller parts, or use a tokenizer.json whose patterns do"
            + " not repeat what is repeated already");
  }
}
