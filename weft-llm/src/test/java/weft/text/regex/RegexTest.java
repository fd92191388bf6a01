package weft.text.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.text.TextException;

class RegexTest {
  private static final String GPT2 =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
  private static final String LLAMA3 =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  private static final String QWEN35 =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}"
          + "| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  private static final String GPT4O =
      "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
          + "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+"
          + "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

  @ParameterizedTest
  @ValueSource(
      strings = {
        GPT2,
        LLAMA3,
        QWEN35,
        GPT4O,
        "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}"
            + "| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+",
        "\\s?\\p{L}+|\\s?\\p{P}+|[一-龥ࠀ-一가-퟿]+|\\p{N}"
      })
  void realPatternsCutTextAsJavaDoes(String pattern) {
    var random = new Random(pattern.hashCode());
    var regex = Regex.of(pattern);
    var java = java(pattern);
    for (int i = 0; i < 2000; i++) {
      String text = randomText(random);
      assertThat(matches(regex, text)).as(text).isEqualTo(matches(java, text));
      assertThat(carefulMatches(regex, text)).as(text).isEqualTo(matches(java, text));
    }
  }

  @Test
  void randomPatternsMatchAsJavaDoes() {
    var random = new Random(7);
    int compared = 0;
    for (int i = 0; i < 6000; i++) {
      String pattern = randomPattern(random, 3);
      Regex regex;
      try {
        regex = Regex.of(pattern);
      } catch (TextException refused) {
        continue;
      }
      var java = java(pattern);
      for (int j = 0; j < 5; j++) {
        String text =
            random
                .ints(random.nextInt(12), 'a', 'd')
                .mapToObj(Character::toString)
                .reduce("", String::concat);
        assertThat(matches(regex, text)).as(pattern + " in " + text).isEqualTo(matches(java, text));
        assertThat(carefulMatches(regex, text))
            .as(pattern + " in " + text)
            .isEqualTo(matches(java, text));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(10_000);
  }

  static List<Arguments> dialect() {
    return List.of(
        arguments("a{2}?", "aaaa", List.of("aa", "aa")),
        arguments("a{1,2}+", "aaaaa", List.of("aaaaa")),
        arguments("^b", "a\nb", List.of("b")),
        arguments("a$", "a\na", List.of("a", "a")),
        arguments("\\Aa", "a\na", List.of("a")),
        arguments("a\\z", "a\na", List.of("a")),
        arguments("a\\Z", "a\na\n", List.of("a")),
        arguments("\\bab\\b", "ab cab ab", List.of("ab", "ab")),
        arguments("[[:alpha:]]+", "ab1é", List.of("ab", "é")),
        arguments("[^[:alpha:]]+", "ab1 é", List.of("1 ")),
        arguments("[[:^digit:]]+", "a1b", List.of("a", "b")),
        arguments("[a-z&&[^c-g]z]+", "abcdhz", List.of("ab", "hz")),
        arguments("[]a]+", "]a]", List.of("]a]")),
        arguments("[a\\-z]+", "-az", List.of("-az")),
        arguments("[a-]+", "-a", List.of("-a")),
        arguments("(?<=a)b", "abbb", List.of("b")),
        arguments("(?<!a)b", "abbb", List.of("b", "b")),
        arguments("(?<=ab|c)d", "abdcdd", List.of("d", "d")),
        arguments("(?>a+)ab", "aaab", List.of()),
        arguments("a++b", "aab", List.of("aab")),
        arguments("(?<word>ab)+", "ababc", List.of("abab")),
        arguments("(?x: a b # note\n )", "ab", List.of("ab")),
        arguments("a(?#note)b", "ab", List.of("ab")),
        arguments("a(?i)b|C", "aBac", List.of("aB", "ac")),
        arguments("(?m:.+)", "a\nb", List.of("a\nb")),
        arguments(".+", "a\nb", List.of("a", "b")),
        arguments("\\h+", "xff", List.of("ff")),
        arguments("\\x{4e00}\\u4e01\\x41", "一丁A", List.of("一丁A")),
        arguments("\\p{Han}+|\\p{^L}", "ab一 ", List.of("一", " ")),
        arguments("\\pL+|\\PL", "ab1", List.of("ab", "1")),
        arguments("a{,2}b", "aaab", List.of("aab")),
        arguments("x{", "x{", List.of("x{")),
        arguments("\\R", "a\r\nb", List.of("\r\n")),
        arguments("\\O+?b", "a\nb", List.of("a\nb")));
  }

  @ParameterizedTest
  @MethodSource("dialect")
  void readsTheDialectOfOniguruma(String pattern, String text, List<String> expected) {
    assertThat(matches(Regex.of(pattern), text)).isEqualTo(expected);
  }

  @Test
  void ignoringCaseFollowsUnicode() {
    assertThat(matches(Regex.of("(?i:'s|k)"), "'S 'ſ K k")).containsExactly("'S", "'ſ", "K", "k");
    assertThat(matches(Regex.of("(?i:i)"), "iIİı")).containsExactly("i", "I");
  }

  @Test
  void spacesAreThoseOfUnicode() {
    assertThat(matches(Regex.of("\\s"), "\u0085 \u00A0\u2003\u3000\u200B\u001C")).hasSize(5);
  }

  @Test
  void emptyMatchesCutBetweenCharacters() {
    var cuts = new ArrayList<Integer>();
    Regex.of("(?=(\\d{3})+(?!\\d))")
        .findAll("1234567".toCharArray(), 0, 7, Effort.on(7), (s, e) -> cuts.add(s));
    assertThat(cuts).containsExactly(1, 4);
    cuts.clear();
    Regex.of("").findAll("a😀b".toCharArray(), 0, 4, Effort.on(4), (s, e) -> cuts.add(s));
    assertThat(cuts).containsExactly(0, 1, 3, 4);
  }

  @Test
  void aMatchSeesOnlyItsPartOfTheText() {
    var found = new ArrayList<Integer>();
    Regex.of("\\s+(?!\\S)|^b|(?<!a)b")
        .findAll("a b ".toCharArray(), 1, 2, Effort.on(1), (s, e) -> found.add(e));
    Regex.of("(?<!a)b$").findAll("abc".toCharArray(), 1, 2, Effort.on(1), (s, e) -> found.add(e));
    assertThat(found).containsExactly(2, 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a",
        "a)",
        "*a",
        "[a",
        "a{2,1}",
        "\\p{Nonsense}",
        "\\q",
        "(?z:a)",
        "\\1",
        "(a*)*",
        "[b-a]",
        "(?=a)*",
        "a{99999}",
        "((?:ab){1000}){1000}",
        "(?<=a+)b",
        "[z-\\x{110000}]",
        "\\",
        "(?",
        "(?i"
      })
  void refusesWhatItCannotMatch(String pattern) {
    assertThatThrownBy(() -> Regex.of(pattern)).isInstanceOf(TextException.class);
  }

  @Test
  void nestingHasABound() {
    String deep = "(".repeat(5000) + "a" + ")".repeat(5000);
    assertThatThrownBy(() -> Regex.of(deep)).isInstanceOf(TextException.class);
    assertThatThrownBy(() -> Regex.of("[".repeat(5000))).isInstanceOf(TextException.class);
    assertThatThrownBy(() -> Regex.of("a" + "{1}".repeat(5000))).isInstanceOf(TextException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\s*x",
        "(?:\\s|\\s\\s)+x",
        "(?:a|aa)+$|b",
        "\\d{1,3}(?=(?:\\d{3})*\\b)",
        "(?:\\s+\\s+)+x",
        "[a-z\\s]*[a-z]*\\s*\\d*x"
      })
  void costlyPatternsStayLinear(String pattern) {
    for (String unit : List.of(" ", "a", "7", "a ", "😀")) {
      String text = unit.repeat(50_000 / unit.length());
      int[] count = {0};
      Regex.of(pattern)
          .findAll(
              text.toCharArray(), 0, text.length(), Effort.on(text.length()), (s, e) -> count[0]++);
      assertThat(count[0]).isLessThanOrEqualTo(text.length() + 1);
    }
  }

  /** Half a pair is a character of its own, forwards and backwards: found by fuzzing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?<=a)",
        "(?<=.)b",
        "(?<!..)b",
        ".+b",
        "(.+a)+b",
        "[^b]*?b",
        "\\p{Cs}+a",
        ".*\\B"
      })
  void halvesOfPairsAreCharacters(String pattern) {
    for (String text :
        List.of("\udc00", "\udc00b", "a\udc00\udc00ab", "\ud800b", "\ud83d\ude00\udc00b\ud800")) {
      assertThat(matches(Regex.of(pattern), text)).isEqualTo(matches(java(pattern), text));
    }
  }

  @Test
  void randomBytesAreRefusedOrMatched() {
    var random = new Random(3);
    String alphabet = "ab(|)[]{}*+?\\^$.-:=!<>#,12ipLPsx&é😀 ";
    int[] points = alphabet.codePoints().toArray();
    for (int i = 0; i < 20_000; i++) {
      var pattern = new StringBuilder();
      for (int j = random.nextInt(12); j >= 0; j--) {
        pattern.appendCodePoint(points[random.nextInt(points.length)]);
      }
      try {
        matches(Regex.of(pattern.toString()), "ab 12é😀-aab");
      } catch (TextException expected) {
        assertThat(expected).hasMessageContaining("pattern");
      }
    }
  }

  private static Pattern java(String pattern) {
    return Pattern.compile(pattern, Pattern.UNICODE_CHARACTER_CLASS | Pattern.MULTILINE);
  }

  private static List<String> matches(Regex regex, String text) {
    var found = new ArrayList<String>();
    regex.findAll(
        text.toCharArray(),
        0,
        text.length(),
        Effort.on(text.length()),
        (s, e) -> found.add(text.substring(s, e)));
    return found;
  }

  private static List<String> carefulMatches(Regex regex, String text) {
    var found = new ArrayList<String>();
    regex.findAllCarefully(
        text.toCharArray(),
        0,
        text.length(),
        Effort.on(text.length()),
        (s, e) -> found.add(text.substring(s, e)));
    return found;
  }

  private static List<String> matches(Pattern pattern, String text) {
    var found = new ArrayList<String>();
    var matcher = pattern.matcher(text);
    int last = -1;
    while (matcher.find()) {
      if (matcher.start() < matcher.end() || matcher.start() != last) {
        found.add(matcher.group());
      }
      last = matcher.end();
    }
    return found;
  }

  private static String randomText(Random random) {
    String[] units = {
      "a", "Z", "word", "THE", " ", "  ", "\n", "\r\n", "\t", "1", "234", "'", "'s", "'RE", "'ſ",
      ".", "!?", "/", "é", "e\u0301", "ß", "ǅ", "ʰ", "你", "好", "ไ", "ก็", "ह", "ि", "न्", "م", "٣",
      "½", "Ⅷ", "😀", "👩‍💻", "\u200B", "\u00A0", "\u3000", "\u2028", "𝔄", "𐐀", "\u0000", "▁",
      "_", "€", "ー", "가", "\uFFFD", "\uE000"
    };
    var text = new StringBuilder();
    for (int i = random.nextInt(14); i >= 0; i--) {
      text.append(units[random.nextInt(units.length)]);
    }
    return text.toString();
  }

  private static String randomPattern(Random random, int depth) {
    if (depth == 0) {
      return List.of("a", "b", "c", "[ab]", "[^a]", ".", "a", "b").get(random.nextInt(8));
    }
    String one = randomPattern(random, depth - 1);
    String two = randomPattern(random, depth - 1);
    return switch (random.nextInt(13)) {
      case 0 -> one + two;
      case 1 -> "(?:" + one + "|" + two + ")";
      case 2 -> "(" + one + ")*";
      case 3 -> "(" + one + ")+";
      case 4 -> "(" + one + ")?" + two;
      case 5 -> "(" + one + "){1,3}";
      case 6 -> "(" + one + ")+?" + two;
      case 7 -> "(?=" + one + ")" + two;
      case 8 -> "(?!" + one + ")" + two;
      case 9 -> "(?>" + one + ")" + two;
      case 10 -> "(?:" + one + ")++" + two;
      case 11 -> "(?<=[ab])" + one;
      case 12 -> one + "|" + two;
      default -> throw new IllegalStateException();
    };
  }
}
