package weft.text.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.text.TextException;

/** Patterns made to take time or memory: they match in linear time or end with their effort. */
class HostilePatternTest {
  private static final int LENGTH = 20_000;

  /** A thousand times what is taken, but far below what any of these took once. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final List<String> TEXTS =
      List.of(
          "a".repeat(LENGTH),
          "ab".repeat(LENGTH / 2),
          "a".repeat(LENGTH / 2) + "b" + "a".repeat(LENGTH / 2),
          " ".repeat(LENGTH));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a++b",
        "a*+a",
        "(?>a+)+b",
        "(?>(?:ab)+)+c",
        "(?>(?:a|b)+)+c",
        "(?>(?>(?>a+)+)+)+b",
        "(?>a*+a)b",
        "(?>.*b)c",
        "(?>a|aa|aaa)+?b",
        "(?=a*b)a",
        "a(?=.*b)",
        "a(?=.*+b)",
        "(?!a*+b)a",
        "(?=(?=(?=a*b)a*b)a*b)a",
        "a*a{3,}b",
        "a{2,}b",
        "a*a*a*a*a*b",
        "(?:a+a+)+b",
        "(?i:(?:a|A|aa)+)b",
        "(?:[^b]*?a)+?b",
        "(?:(?>a+)|b)+c",
        "[^\\n]+\\n"
      })
  void nestedRepetitionsTakeLinearTime(String pattern) {
    var regex = Regex.of(pattern);
    for (String text : TEXTS) {
      // The effort grows with the text and with nothing else: to finish within it is to be linear.
      search(regex, text, Effort.on(text.length()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a?){5000}a{5000}b",
        "a{3000}b",
        "(a{0,10000})b",
        "a{0,10000}?b",
        "(?:a{1,100}){1,100}b",
        "(?:a{9999}|a)b",
        "(?=a{10000})a",
        "(?:(?=a{10000})a)+",
        "(?:(?:(?:a?){10}){10}){10}a{1000}b",
        "(?<=(?:a|aa|aaa){80}b)a",
        "(?:(?<=(?=a*b)a)a)+c",
        "(?:(?=(?=(?:a|aa){1,50}c)a)a|a)+b|a{0,9999}c"
      })
  void whatIsNotLinearEndsWithItsEffort(String pattern) {
    var regex = Regex.of(pattern);
    Assertions.assertTimeout(
        LONG,
        () ->
            assertThatThrownBy(
                    () -> {
                      for (String text : TEXTS) {
                        search(regex, text, Effort.on(text.length()));
                      }
                    })
                .isInstanceOf(TextException.class)
                .hasMessageContaining("too much time or memory"));
  }

  @Test
  void allSearchesOfATextShareItsEffort() {
    var regex = Regex.of("a{3000}b");
    char[] text = "a".repeat(4000).toCharArray();
    var effort = Effort.on(text.length);
    regex.findAll(text, 0, text.length, effort, (start, end) -> {});
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 20; i++) {
                regex.findAll(text, 0, text.length, effort, (start, end) -> {});
              }
            })
        .isInstanceOf(TextException.class);
  }

  @Test
  void straightCodeCountsToo() {
    var regex = Regex.of("(?:a" + "\\B".repeat(9000) + ")+");
    assertThatThrownBy(() -> search(regex, TEXTS.getFirst(), Effort.on(LENGTH)))
        .isInstanceOf(TextException.class);
  }

  @Test
  void randomPatternsEndWithinTheirEffort() {
    var random = new Random(11);
    for (int i = 0; i < 150; i++) {
      Regex regex;
      String pattern = nested(random, 4);
      try {
        regex = Regex.of(pattern);
      } catch (TextException refused) {
        continue;
      }
      String text = random.nextBoolean() ? "a".repeat(6_000) : "aab".repeat(2_000);
      Assertions.assertTimeout(LONG, () -> tryToSearch(regex, text), pattern);
    }
  }

  @Test
  void repetitionsNestNoDeeperThanGroups() {
    String deep = "(?:".repeat(90) + "a" + ("++".repeat(90) + ")").repeat(90);
    assertThatThrownBy(() -> Regex.of(deep))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("nested deeper");
    search(Regex.of("(?>".repeat(99) + "a" + ")".repeat(99)), "aaa", Effort.on(3));
  }

  @Test
  void compilingIsBounded() {
    var names = new StringBuilder();
    for (int i = 0; i < 900; i++) {
      names.append(i % 2 == 0 ? "\\p{Emo-ji}" : "\\p{gREEk}");
    }
    String wide = "(?i:" + "[ab]\\p{L}|".repeat(1900) + "x)";
    var nested = new StringBuilder("x");
    for (int i = 0; i < 90; i++) {
      nested.insert(0, "(?:").append("|\\p{L}\\b|[\\p{N}\\p{L}]{2})");
    }
    Assertions.assertTimeout(
        LONG,
        () -> {
          Regex.of(names.toString());
          Regex.of(wide);
          Regex.of("(?:" + nested + "){8}");
        });
    assertThatThrownBy(() -> Regex.of("((((a{0,99}b){99}){99}){99}){99}"))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("repeats too much");
  }

  private static void tryToSearch(Regex regex, String text) {
    try {
      search(regex, text, Effort.on(text.length()));
    } catch (TextException exhausted) {
      assertThat(exhausted).hasMessageContaining("too much time or memory");
    }
  }

  private static void search(Regex regex, String text, Effort effort) {
    int[] last = {-1};
    regex.findAll(
        text.toCharArray(),
        0,
        text.length(),
        effort,
        (start, end) -> {
          assertThat(start).isGreaterThanOrEqualTo(last[0]);
          last[0] = end;
        });
  }

  private static String nested(Random random, int depth) {
    if (depth == 0) {
      return List.of("a", "b", "[ab]", "a?", ".", "\\w").get(random.nextInt(6));
    }
    String one = nested(random, depth - 1);
    String two = nested(random, depth - 1);
    return switch (random.nextInt(10)) {
      case 0 -> one + two;
      case 1 -> "(?:" + one + "|" + two + ")";
      case 2 -> "(?>" + one + ")+" + two;
      case 3 -> "(?:" + one + ")+";
      case 4 -> "(?:" + one + ")++" + two;
      case 5 -> "(?:" + one + "){0," + (1 + random.nextInt(40)) + "}";
      case 6 -> "(?=" + one + "+" + two + ")" + one;
      case 7 -> "(?!" + one + "*" + two + "c)" + one;
      case 8 -> "(?<=a|" + List.of("aa", "a?b", "(?:a|ab){1,9}").get(random.nextInt(3)) + ")" + one;
      default -> one + "+?" + two;
    };
  }
}
