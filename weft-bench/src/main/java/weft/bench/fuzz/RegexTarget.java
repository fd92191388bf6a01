package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import weft.text.TextException;
import weft.text.regex.Effort;
import weft.text.regex.Regex;

/**
 * Patterns with a text to search, behind a zero character. Where both dialects mean the same, the
 * matches are those of {@link java.util.regex}.
 */
final class RegexTarget implements Target {
  private static final char SEPARATOR = 0;

  /** Patterns that mean the same in both dialects; loops over what may be empty do not. */
  private static final Pattern COMMON =
      Pattern.compile(
          "(?:[a-d1 ]|\\.|\\[\\^?[a-d1]+(?:-[d])?\\]|\\((?:\\?[:=!])?|\\)|\\||[*+?]\\??)*");

  private static final Pattern QUANTIFIED_GROUP = Pattern.compile("\\)[*+?]");
  private static final Pattern PLAIN_TEXT = Pattern.compile("[a-d1 ]*");
  private static final int LONGEST_COMMON = 24;
  private static final int LONGEST_COMMON_TEXT = 16;
  private static final int MOST_STEPS = 20_000;

  private static final TextMutation WORDS =
      new TextMutation(
          List.of(
              "a",
              "b",
              "c",
              "d",
              "1",
              " ",
              ".",
              "*",
              "+",
              "?",
              "|",
              "(",
              ")",
              "(?:",
              "(?=",
              "(?!",
              "(?<=",
              "(?<!",
              "(?>",
              "(?i)",
              "(?i:",
              "(?m:",
              "(?x)",
              "(?<n>",
              "\\k<n>",
              "\\1",
              "[",
              "]",
              "[^",
              "[a-d]",
              "[[:alpha:]]",
              "[a&&b]",
              "\\p{L}",
              "\\P{N}",
              "\\p{Han}",
              "\\p{^Lu}",
              "\\s",
              "\\S",
              "\\d",
              "\\w",
              "\\W",
              "\\b",
              "\\B",
              "\\A",
              "\\z",
              "\\Z",
              "\\G",
              "\\h",
              "\\R",
              "\\X",
              "\\K",
              "^",
              "$",
              "++",
              "*+",
              "?+",
              "*?",
              "+?",
              "??",
              "{2}",
              "{1,3}",
              "{0,}",
              "{,5}",
              "{1000}",
              "{5000}",
              "{99999}",
              "{2}+",
              "a++b",
              "a*+a",
              "(?>a+)+b",
              "(a?){5000}",
              "(a|b)*",
              "(a*)*",
              "(a|aa)+",
              "\\u00e9",
              "\\x{1F600}",
              "\\x41",
              "\\n",
              "\\",
              "é",
              "😀",
              "\u0000",
              "aaaaaaaaaa",
              "\n",
              "'s",
              "ß",
              "İ"));

  private static final List<String> PATTERNS =
      List.of(
          "'s|'t|'re| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
          "(?i:'s|'t|'ll)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*",
          "a++b",
          "(?>a+)+b",
          "(a?){50}a{50}",
          "(?:ab|a)*c",
          "[a-c]+d|a.c",
          "(?<=a)b(?!c)",
          "(a|b)(c|d)?");

  @Override
  public String name() {
    return "regex";
  }

  @Override
  public List<byte[]> seeds() {
    return PATTERNS.stream()
        .flatMap(
            pattern ->
                Stream.of(
                    pattern + SEPARATOR + "abcd a1 aab", pattern + SEPARATOR + "a".repeat(2000)))
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return WORDS.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    var whole = new String(input, StandardCharsets.UTF_8);
    int end = whole.indexOf(SEPARATOR);
    var pattern = end < 0 ? whole : whole.substring(0, end);
    var text = end < 0 ? "abcd a1 aab" : whole.substring(end + 1);
    var matches = matches(Regex.of(pattern), text);
    if (isCommon(pattern, text)) compare(pattern, text, matches);
  }

  private static List<String> matches(Regex regex, String text) {
    var matches = new ArrayList<String>();
    int[] last = {0};
    regex.findAll(
        text.toCharArray(),
        0,
        text.length(),
        Effort.on(text.length()),
        (start, to) -> {
          if (start < last[0] || to < start || to > text.length()) {
            throw new Violation("a match from " + start + " to " + to + " behind " + last[0]);
          }
          last[0] = to;
          matches.add(start + "-" + to);
        });
    return matches;
  }

  private static boolean isCommon(String pattern, String text) {
    return pattern.length() <= LONGEST_COMMON
        && text.length() <= LONGEST_COMMON_TEXT
        && COMMON.matcher(pattern).matches()
        && !QUANTIFIED_GROUP.matcher(pattern).find()
        && PLAIN_TEXT.matcher(text).matches();
  }

  private static void compare(String pattern, String text, List<String> matches) {
    var expected = new ArrayList<String>();
    try {
      var matcher = Pattern.compile(pattern).matcher(new Bounded(text));
      int last = -1;
      while (matcher.find()) {
        if (matcher.end() == matcher.start() && matcher.end() == last) continue;
        last = matcher.end();
        expected.add(matcher.start() + "-" + matcher.end());
      }
    } catch (PatternSyntaxException | TooLong _) {
      return;
    }
    if (!matches.equals(expected)) {
      throw new Violation(
          "matches of %s in '%s' are %s, expected %s".formatted(pattern, text, matches, expected));
    }
  }

  /** The JDK's search took too long to be compared with. */
  private static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLong() {
      super("too many steps", null, false, false);
    }
  }

  /** A text that may be looked at so often. */
  private static final class Bounded implements CharSequence {
    private final String text;
    private int looks;

    Bounded(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (++looks > MOST_STEPS) throw new TooLong();
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof TextException;
  }
}
