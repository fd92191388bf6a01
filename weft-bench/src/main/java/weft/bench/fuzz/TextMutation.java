package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Changes of a text by its words, numbers and marks, and by a dictionary of those that mean
 * something to whoever reads it.
 */
record TextMutation(List<String> dictionary) {
  /** A word, a number, white space or a mark. */
  private static final Pattern TOKEN = Pattern.compile("[\\p{L}_]\\w*|\\d+|\\s+|.", Pattern.DOTALL);

  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");
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
    var tokens = TOKEN.matcher(text).results().toList();
    var token = draw.of(tokens);
    int next = tokens.indexOf(token) + 1 + draw.small(12);
    int end = tokens.get(Math.min(next, tokens.size()) - 1).end();
    var changed =
        switch (draw.below(12)) {
          case 0 -> with(text, token.start(), token.end(), "");
          case 1 -> with(text, token.start(), end, "");
          case 2, 3 -> with(text, token.start(), token.start(), draw.of(dictionary));
          case 4, 5 -> with(text, token.start(), token.end(), draw.of(dictionary));
          case 6 -> with(text, token.start(), token.end(), part(other, draw));
          case 7 -> with(text, token.start(), token.start(), part(other, draw));
          case 8 -> with(text, end, end, text.substring(token.start(), end));
          case 9 -> swapped(text, token, draw.of(tokens));
          case 10 -> number(text, draw);
          default ->
              draw.oneIn(4)
                  ? with(text, end, end, text.substring(token.start(), end).repeat(copies(draw)))
                  : with(text, token.start(), token.start(), character(draw));
        };
    return changed.length() > LONGEST_TEXT ? changed.substring(0, LONGEST_TEXT) : changed;
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

  private static String swapped(String text, MatchResult one, MatchResult another) {
    if (one.start() > another.start()) return swapped(text, another, one);
    if (one.end() > another.start()) return text;
    return text.substring(0, one.start())
        + another.group()
        + text.substring(one.end(), another.start())
        + one.group()
        + text.substring(another.end());
  }

  private static String number(String text, Draw draw) {
    var numbers = NUMBER.matcher(text).results().toList();
    if (numbers.isEmpty()) return text + draw.edge();
    var number = draw.of(numbers);
    long instead = draw.instead(Long.parseLong(number.group()));
    return with(text, number.start(), number.end(), Long.toString(instead));
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
