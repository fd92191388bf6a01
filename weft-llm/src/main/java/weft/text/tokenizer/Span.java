package weft.text.tokenizer;

/**
 * Part of a text: the characters from {@code start} up to but not including {@code end}, as {@link
 * String} counts them.
 */
public record Span(int start, int end) {
  public Span {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException(
          "a span starts at 0 or later and does not end before it starts, got "
              + start
              + " to "
              + end);
    }
  }

  /** Whether this part and another have a character in common. */
  boolean meets(int otherStart, int otherEnd) {
    return otherStart < end && start < otherEnd;
  }
}
