package weft.serve.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.load.LoadOptions;
import weft.serve.Running;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;

class BatchTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String LINE =
      """
      {"custom_id":"%s","method":"POST","url":"%s","body":%s}
      """;

  private static Shelf shelf;
  @TempDir private Path folder;

  @BeforeAll
  static void open() {
    shelf = Running.shelf(LoadOptions.standard());
    shelf.lend(Running.MODEL).orElseThrow().close();
  }

  @AfterAll
  static void close() {
    shelf.close();
  }

  private static String text(String id, int tokens) {
    var body = "{\"prompt\":\"Once upon\",\"max_tokens\":%d,\"temperature\":0,\"ignore_eos\":true}";
    return LINE.formatted(id, "/v1/completions", body.formatted(tokens));
  }

  private Path in(String... lines) throws IOException {
    return Files.writeString(folder.resolve("in.jsonl"), String.join("", lines));
  }

  private Path out() {
    return folder.resolve("out.jsonl");
  }

  private BatchReport run(Path in) throws IOException {
    return run(in, event -> {});
  }

  private BatchReport run(Path in, Consumer<BatchEvent> listener) throws IOException {
    return new Batch(shelf, 4, listener).run(in, out());
  }

  /** The answers by their ids; those without one by what is wrong with them. */
  private Map<String, JsonNode> answers() throws IOException {
    var answers = new TreeMap<String, JsonNode>();
    for (var line : Files.readAllLines(out())) {
      var answer = MAPPER.readTree(line);
      var id = answer.get("custom_id");
      var name = id.isNull() ? "line " + answer.at("/error/line").intValue() : id.stringValue();
      assertThat(answers.put(name, answer)).as("another answer to %s", name).isNull();
    }
    return answers;
  }

  @Test
  void everyInterfaceAnswersAsTheServerWould() throws IOException {
    var report =
        run(
            in(
                LINE.formatted(
                    "chat",
                    "/v1/chat/completions",
                    """
                    {"model":"gpt-9","messages":[{"role":"user","content":"Hi"}],"max_tokens":3}"""),
                text("text", 5),
                LINE.formatted("vector", "/v1/embeddings", "{\"input\":[\"one\",\"two\"]}"),
                LINE.formatted(
                    "response", "/v1/responses", "{\"input\":\"Hi\",\"max_output_tokens\":2}")));
    assertThat(report).isEqualTo(new BatchReport(4, 0, 4, 0, 10, false));
    var answers = answers();
    assertThat(answers.keySet()).containsExactly("chat", "response", "text", "vector");
    assertThat(answers.values())
        .allSatisfy(
            answer -> {
              assertThat(answer.propertyNames())
                  .containsExactly("id", "custom_id", "response", "error");
              assertThat(answer.at("/response/status_code").intValue()).isEqualTo(200);
              assertThat(answer.get("error").isNull()).isTrue();
            });
    assertThat(answers.get("chat").at("/response/body/model").stringValue())
        .as("the model that answers, not the one that is named")
        .isEqualTo(Running.MODEL);
    assertThat(answers.get("text").at("/response/body/usage/completion_tokens").intValue())
        .as("a line's own limit")
        .isEqualTo(5);
    assertThat(answers.get("vector").at("/response/body/data").size()).isEqualTo(2);
    assertThat(answers.get("response").at("/response/body/object").stringValue())
        .isEqualTo("response");
  }

  @Test
  void whatIsWrongIsTheLinesOwn() throws IOException {
    var good = text("good", 1);
    var report =
        run(
            in(
                "no JSON\n",
                "\n",
                "[]\n",
                "{\"method\":\"POST\"}\n",
                text("other", 1).replace("/v1/completions", "/v1/files"),
                text("get", 1).replace("POST", "GET"),
                good,
                good,
                text("hot", 1).replace(":0,", ":99,"),
                text("streamed", 1).replace("\"temperature\":0", "\"stream\":true"),
                text("long", 1).replace("Once upon", "Once upon ".repeat(3000))));
    assertThat(report).isEqualTo(new BatchReport(10, 0, 1, 9, 1, false));
    var lines = Files.readAllLines(out()).stream().map(MAPPER::readTree).toList();
    assertThat(lines)
        .filteredOn(line -> line.get("response").isNull())
        .extracting(line -> line.at("/error/line").intValue())
        .containsExactlyInAnyOrder(1, 3, 4, 5, 6, 8);
    assertThat(lines)
        .filteredOn(line -> line.at("/response/status_code").asInt(0) == 400)
        .as(lines.toString())
        .extracting(line -> line.at("/response/body/error/code").stringValue())
        .containsExactlyInAnyOrder("invalid_value", "invalid_value", "context_length_exceeded");
    var again = run(folder.resolve("in.jsonl"));
    assertThat(again)
        .as("errors are answers, too")
        .isEqualTo(new BatchReport(10, 10, 0, 0, 0, false));
  }

  @Test
  void itGoesOnWhereItWasStopped() throws IOException {
    var lines = new ArrayList<String>();
    for (int i = 0; i < 12; i++) lines.add(text("line-" + i, 4));
    var in = in(lines.toArray(String[]::new));
    var batch = new Batch[1];
    batch[0] =
        new Batch(
            shelf,
            2,
            event -> {
              if (event instanceof BatchEvent.Answered) batch[0].stop();
            });
    var first = batch[0].run(in, out());
    assertThat(first.isStopped()).isTrue();
    assertThat(first.answered()).isBetween(1, 3);
    assertThat(answers()).hasSize(first.answered());
    var whole = Files.readString(out());
    // As a machine leaves it that loses its power.
    Files.writeString(out(), whole + whole.substring(0, 40));
    var told = new ArrayList<BatchEvent>();
    var second = run(in, told::add);
    assertThat(second.skipped()).isEqualTo(first.answered());
    assertThat(second.isStopped()).isFalse();
    assertThat(answers()).hasSize(12);
    assertThat(Files.readString(out())).startsWith(whole);
    assertThat(told.getFirst()).isEqualTo(new BatchEvent.Begun(12, first.answered()));
    assertThat(told).hasSize(1 + second.answered());
  }

  @Test
  void anInterruptStopsItAndTheOutputIsWhole() throws IOException {
    Thread.currentThread().interrupt();
    var report = run(in(text("a", 4), text("b", 4)));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(report.isStopped()).isTrue();
    assertThat(answers()).isEmpty();
  }

  @Test
  void noOtherFileIsOverwritten() throws IOException {
    var in = in(text("a", 1));
    for (var other : List.of("my notes", "my notes\n", "{\"id\":\"x\",\"custom_id\":\"a\"}\n")) {
      Files.writeString(out(), other);
      assertThatThrownBy(() -> run(in))
          .isInstanceOf(ServeException.class)
          .hasMessageContaining("line 1 of")
          .hasMessageContaining("give another name");
      assertThat(Files.readString(out())).isEqualTo(other);
    }
    assertThatThrownBy(() -> new Batch(shelf, 1, event -> {}).run(in, in))
        .isInstanceOf(ServeException.class)
        .hasMessageContaining("one file");
  }
}
