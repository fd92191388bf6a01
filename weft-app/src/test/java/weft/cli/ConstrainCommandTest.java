package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ConstrainCommandTest {
  /** A vocabulary of three control tokens and the 256 bytes. */
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");

  @Test
  void answersEachLineWithALine() {
    var result =
        Cli.runWithInput(
            """
            {"schema":{"type":"object","properties":{"a":{"type":"integer"}}},"texts":["{\\"a\\": 1}","{\\"a\\": x}"]}
            {"regex":"[ab]+","texts":["ab","abc",""]}
            {"grammar":"root ::= \\"x\\" root | \\"y\\"","texts":["xxy","xx","yé"]}
            {"regex":"(a)\\\\1","texts":[]}
            """,
            "constrain",
            MODEL,
            "--jsonl");
    assertThat(result.status()).as(result.err()).isZero();
    var answers = result.out().lines().map(line -> new JsonMapper().readTree(line)).toList();
    assertThat(answers).hasSize(4);
    assertThat(answers.get(0).get("accepted").toString()).isEqualTo("[true,false]");
    assertThat(answers.get(1).get("accepted").toString()).isEqualTo("[true,false,false]");
    assertThat(answers.get(1).get("tokens").intValue()).isEqualTo(5);
    assertThat(answers.get(1).get("compile_us").doubleValue()).isPositive();
    assertThat(answers.get(1).get("mask_us").get("greatest").doubleValue())
        .isGreaterThanOrEqualTo(answers.get(1).get("mask_us").get("average").doubleValue());
    assertThat(answers.get(2).get("accepted").toString()).isEqualTo("[true,false,false]");
    assertThat(answers.get(3).get("error").stringValue()).contains("back reference");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"regex\":                     | line 2 of standard input is not JSON",
        "{\"texts\":[]}                  | line 2 of standard input: expected \"schema\"",
        "{\"regex\":\"x\",\"texts\":[1]} | line 2 of standard input: expected \"texts\"",
      })
  void aLineThatIsWrongIsNamed(String line, String sentence) {
    var result =
        Cli.runWithInput(
            "{\"regex\":\"x\",\"texts\":[]}\n" + line + "\n", "constrain", MODEL, "--jsonl");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains(sentence);
    assertThat(result.out().lines()).hasSize(1);
  }

  @Test
  void repliesAreWhatIsAllowed(@TempDir Path folder) throws IOException {
    var schema = folder.resolve("schema.json");
    Files.writeString(
        schema,
        """
        {"type":"object","properties":{"color":{"enum":["red","green"]},"count":{"type":"integer",
        "minimum":0,"maximum":99}},"required":["color","count"],"additionalProperties":false}
        """);
    var grammar = folder.resolve("grammar.gbnf");
    Files.writeString(grammar, "root ::= (\"one\" | \"two\") \", \" [0-9]{3}\n");
    assertThat(say("run", "--schema", schema.toString()))
        .matches(
            "\\{\\s*\"color\"\\s*:\\s*\"(red|green)\"\\s*,\\s*\"count\"\\s*:\\s*\\d{1,2}\\s*}");
    assertThat(say("run", "--regex", "(red|green|blue)")).matches("red|green|blue");
    assertThat(say("chat", "--grammar", grammar.toString())).matches("(one|two), \\d{3}");
  }

  private static String say(String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("-p", "Say it.", "--json", "--max-tokens", "200"));
    var result = Cli.run(all.toArray(String[]::new));
    assertThat(result.status()).as(result.err()).isZero();
    var document = result.json();
    assertThat(document.get("finish_reason").stringValue()).isEqualTo("stop");
    return (document.has("text") ? document.get("text") : document.get("content")).stringValue();
  }

  @Test
  void whatCannotBeKeptIsWrongUsage() {
    var result = Cli.run("run", "-p", "x", "--regex", "(?<=a)b");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("look behind");
    assertThat(Cli.run("run", "-p", "x", "--regex", "a", "--grammar", "b").err())
        .contains("give one of --schema, --regex and --grammar");
  }
}
