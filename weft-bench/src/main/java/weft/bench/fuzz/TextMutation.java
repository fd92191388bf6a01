package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Changes of a text by its words, numbers and marks, and by a dictionary of those that mean
 * something to whoever reads it.
 */
record TextMutation(List<String> dictionary) {
  private static final int LONGEST_NUMBER = 18;
  private static final int LONGEST_TEXT = 1 << 16;
  private static final int MOST_COPIES = 300;

  /** One to four changes, most often one; now and then of bytes, which need not be text then. */
  byte[] mutate(byte[] input, byte[] other, Draw draw) {
    if (draw.oneIn(20)) return ByteMutation.mutate(input, other, draw);
    var text = new String(input, StandardCharsets.UTF_8);
    var more = new String(other, StandardCharsets.UTF_8);
    for (int i = draw.small(4); i >= 0; i--) text = changed(text, more, draw);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  String changed(String text, String other, Draw draw) {
    if (text.isEmpty() || draw.oneIn(50)) return text + draw.of(dictionary);
    int at = draw.below(text.length());
    int start = start(text, at);
    int end = end(text, at);
    int far = end;
    for (int i = draw.small(12); i > 0 && far < text.length(); i--) far = end(text, far);
    var changed =
        switch (draw.below(12)) {
          case 0 -> with(text, start, end, "");
          case 1 -> with(text, start, far, "");
          case 2, 3 -> with(text, start, start, draw.of(dictionary));
          case 4, 5 -> with(text, start, end, draw.of(dictionary));
          case 6 -> with(text, start, end, part(other, draw));
          case 7 -> with(text, start, start, part(other, draw));
          case 8 -> with(text, far, far, text.substring(start, far));
          case 9 -> swapped(text, start, end, draw.below(text.length()));
          case 10 -> number(text, at, draw);
          default ->
              draw.oneIn(4)
                  ? with(text, far, far, text.substring(start, far).repeat(copies(draw)))
                  : with(text, start, start, character(draw));
        };
    return changed.length() > LONGEST_TEXT ? changed.substring(0, LONGEST_TEXT) : changed;
  }

  /** Where the word, the number, the white space or the mark around a place begins. */
  private static int start(String text, int at) {
    int start = at;
    while (start > 0 && isOne(text.charAt(start - 1), text.charAt(start))) start--;
    return start;
  }

  private static int end(String text, int at) {
    int end = at + 1;
    while (end < text.length() && isOne(text.charAt(end - 1), text.charAt(end))) end++;
    return end;
  }

  /** Whether two characters belong together. */
  private static boolean isOne(char one, char next) {
    return isWord(one) && isWord(next)
        || Character.isWhitespace(one) && Character.isWhitespace(next);
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static int copies(Draw draw) {
    return 1 + draw.small(MOST_COPIES);
  }

  private static String with(String text, int from, int to, String part) {
    return text.substring(0, from) + part + text.substring(to);
  }

  private static String part(String other, Draw draw) {
    if (other.isEmpty()) return "";
    int from = draw.below(other.length());
    return other.substring(from, from + draw.small(Math.min(60, other.length() - from)));
  }

  private static String swapped(String text, int start, int end, int place) {
    int from = start(text, place);
    int to = end(text, place);
    if (from < end && start < to) return text;
    return from < start
        ? with(
            with(text, start, end, text.substring(from, to)), from, to, text.substring(start, end))
        : with(
            with(text, from, to, text.substring(start, end)), start, end, text.substring(from, to));
  }

  /** Another number in place of the next one. */
  private static String number(String text, int at, Draw draw) {
    int start = at;
    while (start < text.length() && !isDigit(text.charAt(start))) start++;
    while (start > 0 && start < text.length() && isDigit(text.charAt(start - 1))) start--;
    int end = start;
    while (end < text.length() && isDigit(text.charAt(end)) && end - start < LONGEST_NUMBER) end++;
    if (end == start) return text + draw.edge();
    long old = Long.parseLong(text, start, end, 10);
    return with(text, start, end, Long.toString(draw.instead(old)));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String character(Draw draw) {
    return switch (draw.below(4)) {
      case 0 -> String.valueOf((char) draw.below(0x80));
      case 1 -> String.valueOf((char) draw.below(0x10000));
      case 2 -> Character.toString(draw.below(Character.MAX_CODE_POINT + 1));
      default ->
          draw.of(List.of("\u0301", "\u200d", "\ufeff", "\u2028", "İ", "ß", "ﬃ", "\ud800", "😀"));
    };
  }
}
