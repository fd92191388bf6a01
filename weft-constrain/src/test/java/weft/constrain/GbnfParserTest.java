package weft.constrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grammars in llama.cpp's notation. */
class GbnfParserTest {
  private static final String JSON =
      """
      # any JSON value
      root   ::= value
      value  ::= object | array | string | number | ("true" | "false" | "null") ws

      object ::=
        "{" ws (
          string ":" ws value
          ("," ws string ":" ws value)*   # the others
        )? "}" ws

      array  ::= "[" ws ( value ("," ws value)* )? "]" ws
      string ::= "\\"" ( [^"\\\\\\x7F\\x00-\\x1F] | "\\\\" (["\\\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\\"" ws
      number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9]{1,3})? ws
      ws ::= | " " | "\\n" [ \\t]{0,20}
      """;

  private static Constraint constraint(String grammar) {
    return Constraint.of(
        Grammar.parse(grammar), Texts.vocabulary(List.of("\": ", "\", \"", "true", "}]", "[[")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = true,
      value = {
        "{\"a\": [1, 2.5e-3, true, {\"b\":null}], \"é\": \"x\\u00e9\"} | true",
        "[[[[]]]] | true",
        "[1,] | false",
        "{\"a\" 1} | false",
        "\"\\q\" | false",
        "-12 | true",
        "[1]] | false",
      })
  void takesWhatItsRulesSay(String text, boolean isTaken) {
    assertThat(Texts.accepts(constraint(JSON), text)).isEqualTo(isTaken);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "1+2, true", "1+2+34, true", "+1, false", "1+, false", "'', false"})
  void aRuleMayBeginWithItself(String text, boolean isTaken) {
    var sums = constraint("root ::= root \"+\" number | number\nnumber ::= number [0-9] | [0-9]");
    assertThat(Texts.accepts(sums, text)).isEqualTo(isTaken);
  }

  @Test
  void characterEscapesAndRepetitionsMeanWhatLlamaCppSays() {
    var grammar = constraint("root ::= \"\\x41\\u00e9\\U0001F600\\n\" .{2} \"ab\"{1,2} [^x-z\\]]");
    assertThat(Texts.accepts(grammar, "Aé😀\n€zababw")).isTrue();
    assertThat(Texts.accepts(grammar, "Aé😀\n€zababy")).isFalse();
    assertThat(Texts.accepts(grammar, "Aé😀\n€zabab]")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "start ::= \"a\" | no rule named root",
        "root ::= other | uses the rule other",
        "root ::= \"a | an end",
        "root ::= (\"a\" | not closed",
        "root ::= <[12]> | a token by its name",
        "root = \"a\" | without ::=",
        "root ::= \"a\"{3,1} | from 3 to 1",
        "root ::= \"a\\q\" | escape",
      })
  void whatIsWrongIsNamed(String grammar, String sentence) {
    assertThatThrownBy(() -> Grammar.parse(grammar))
        .isInstanceOf(ConstrainException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void aRuleThatBeginsWithItselfThroughAnotherIsRefusedByName() {
    assertThatThrownBy(() -> constraint("root ::= a \"x\" | \"y\"\na ::= \"z\"? root"))
        .isInstanceOf(ConstrainException.class)
        .hasMessageContaining("begins with itself")
        .hasMessageContaining("root");
  }
}
