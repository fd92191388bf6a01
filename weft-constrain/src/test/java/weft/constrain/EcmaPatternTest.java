package weft.constrain;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns as users write them. */
class EcmaPatternTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "(a)\\1 back",
        "(?<=a)b behind",
        "(?<n>a)\\k<n> back",
        "a++ possessive",
        "a** quantifier",
        "*a nothing",
        "(a not",
        "a) closes",
        "\\a escape",
        "[z-a] range",
        "\\p{Nonsense} Nonsense",
        "(?i)a group",
        "a{2,1} repetition",
        "(?:^a|b)* repeats"
      })
  void whatCannotBeKeptIsRefusedByName(String pattern, String name) {
    assertThatThrownBy(() -> Regex.parse(pattern))
        .isInstanceOf(ConstrainException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(pattern);
  }
}
