package weft.constrain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Patterns at random, in the dialect that the JDK shares, against the JDK. */
class PatternOracleTest {
  private static final int PATTERNS = 600;
  private static final String LETTERS = "ab_-é";

  private final Random random = new Random(15);

  @Test
  void wholeTextsAreThoseOfTheJdk() {
    for (int i = 0; i < PATTERNS; i++) {
      var pattern = pattern(3);
      compare(Regex.parse(pattern), pattern, text -> Pattern.matches(pattern, text));
    }
  }

  @Test
  void searchedTextsAreThoseOfTheJdk() {
    for (int i = 0; i < PATTERNS; i++) {
      var pattern = pattern(3);
      compare(
          Regex.parseSearch(pattern),
          pattern,
          text -> Pattern.compile(pattern).matcher(text).find());
    }
  }

  private void compare(Regex regex, String pattern, java.util.function.Predicate<String> oracle) {
    Constraint constraint;
    try {
      constraint = Constraint.of(Grammar.of(regex), Texts.vocabulary(List.of()));
    } catch (ConstrainException none) {
      assertThat(none).hasMessageContaining("no text at all");
      for (var text : texts())
        assertThat(oracle.test(text)).as("%s of %s", pattern, text).isFalse();
      return;
    }
    for (var text : texts()) {
      assertThat(Texts.accepts(constraint, text))
          .as("%s of '%s'", pattern, text)
          .isEqualTo(oracle.test(text));
    }
  }

  private List<String> texts() {
    var texts = new ArrayList<String>();
    texts.add("");
    for (int i = 0; i < 12; i++) {
      var text = new StringBuilder();
      int length = 1 + random.nextInt(6);
      for (int j = 0; j < length; j++) text.append(letter());
      texts.add(text.toString());
    }
    return texts;
  }

  private char letter() {
    return LETTERS.charAt(random.nextInt(LETTERS.length()));
  }

  private String pattern(int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 13)) {
      case 0, 1 -> Character.toString(letter());
      case 2 -> random.nextBoolean() ? "[ab]" : "[^a]";
      case 3 -> random.nextBoolean() ? "\\w" : ".";
      case 4, 5, 6 -> pattern(depth - 1) + pattern(depth - 1);
      case 7, 8 -> "(?:" + pattern(depth - 1) + "|" + pattern(depth - 1) + ")";
      case 9 -> repeated();
      case 10 -> random.nextBoolean() ? "^" + pattern(depth - 1) : pattern(depth - 1) + "$";
      case 11 ->
          (random.nextBoolean() ? "(?=" : "(?!") + pattern(depth - 1) + ")" + pattern(depth - 1);
      default -> pattern(depth - 1) + (random.nextBoolean() ? "\\b" : "\\B") + pattern(depth - 1);
    };
  }

  /** What repeats looks at nothing around it. */
  private String repeated() {
    var part = random.nextBoolean() ? "[a_]" : "(?:a|b" + letter() + "?)";
    return part + List.of("*", "+", "?", "{2}", "{1,3}", "{2,}", "*?").get(random.nextInt(7));
  }
}
