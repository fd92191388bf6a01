package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** On a vocabulary of three control tokens and the 256 bytes. */
class TokenizeCommandTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");

  @Test
  void answersEachLineWithALine() {
    var result =
        Cli.runWithInput(
            """
            {"text":"Aé","add_special":true}

            {"text":"A</s>B","add_special":false}
            {"text":"A</s>B","add_special":false,"parse_special":false}
            {"text":null,"ids":[68,198,2]}
            """,
            "tokenize",
            MODEL,
            "--jsonl");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out().lines())
        .containsExactly(
            "{\"ids\":[68,198,172],\"decoded\":\"Aé\"}",
            "{\"ids\":[68,2,69],\"decoded\":\"A</s>B\"}",
            "{\"ids\":[68,63,50,118,65,69],\"decoded\":\"A</s>B\"}",
            "{\"ids\":[68,198,2],\"decoded\":\"A\uFFFD</s>\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"text\":              | line 2 of standard input is not JSON",
        "{\"words\":\"x\"}       | line 2 of standard input: expected an object with \"text\"",
        "{\"ids\":[\"x\"]}       | line 2 of standard input: expected an object with \"text\"",
        "{\"text\":\"x\",\"add_special\":3} | line 2 of standard input: \"add_special\" is 3",
      })
  void aLineThatIsWrongIsNamed(String line, String sentence) {
    var result = Cli.runWithInput("{\"text\":\"x\"}\n" + line + "\n", "tokenize", MODEL, "--jsonl");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains(sentence);
    assertThat(result.out().lines()).hasSize(1);
  }

  @Test
  void showsIdsOrTokensOrADocument() {
    assertThat(Cli.run("tokenize", MODEL, "-p", "AB").out()).isEqualTo("68,69\n");
    assertThat(Cli.runWithInput("AB", "tokenize", MODEL).out()).isEqualTo("68,69\n");
    assertThat(Cli.run("tokenize", MODEL, "-p", "A\né", "--show").out())
        .isEqualTo(
            """
             id  token
             68  "A"
             13  "\\n"
            198  "<C3>"
            172  "<A9>"
            """);
    var document = Cli.run("tokenize", MODEL, "-p", "A B", "--json").json();
    assertThat(document)
        .isEqualTo(
            new JsonMapper().readTree("{\"ids\":[68,35,69],\"tokens\":[\"A\",\"Ġ\",\"B\"]}"));
  }

  @Test
  void aFolderWithoutATokenizerIsAClearError() {
    for (var command : List.of("tokenize", "chat")) {
      var result = Cli.run(command, Cli.golden("hf/llama-untied"));
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).contains("there is no tokenizer at").contains("tokenizer.json");
    }
  }
}
