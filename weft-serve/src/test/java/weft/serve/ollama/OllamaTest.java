package weft.serve.ollama;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.serve.Running;

class OllamaTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String STORY =
      """
      {"model":"weft-tiny:latest","messages":[{"role":"user","content":"Tell me a story."}],
       "options":{"temperature":0,"num_predict":12,"num_ctx":4096},"keep_alive":"5m"%s}""";
  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static List<JsonNode> lines(Running.Answer answer) {
    return answer.body().lines().map(MAPPER::readTree).map(JsonNode.class::cast).toList();
  }

  @Test
  void aChatComesInLinesOrAsAWhole() {
    var whole = running.post("/api/chat", STORY.formatted(",\"stream\":false"));
    assertThat(whole.status()).as(whole.body()).isEqualTo(200);
    assertThat(whole.json().get("done").booleanValue()).isTrue();
    assertThat(whole.json().at("/message/role").stringValue()).isEqualTo("assistant");
    assertThat(whole.json().get("eval_count").intValue()).isBetween(1, 12);
    assertThat(whole.json().get("total_duration").longValue()).isPositive();
    var lines = lines(running.post("/api/chat", STORY.formatted("")));
    var text = new StringBuilder();
    for (var line : lines) text.append(line.at("/message/content").stringValue());
    assertThat(text.toString()).isEqualTo(whole.json().at("/message/content").stringValue());
    assertThat(lines.getFirst().get("done").booleanValue()).isFalse();
    assertThat(lines.getLast().get("done_reason")).isEqualTo(whole.json().get("done_reason"));
    assertThat(lines.getLast().get("model").stringValue()).isEqualTo("weft-tiny");
  }

  @Test
  void aPromptIsAnsweredWithAndWithoutTheTemplate() {
    var body =
        """
        {"model":"weft-tiny","prompt":"Once upon a time","system":"Be brief.","stream":false,
         "raw":%s,"options":{"seed":1,"num_predict":6,"stop":["never"]}}""";
    var asked = running.post("/api/generate", body.formatted("false"));
    var raw = running.post("/api/generate", body.formatted("true"));
    assertThat(asked.status()).as(asked.body()).isEqualTo(200);
    assertThat(asked.json().get("response").stringValue()).isNotEmpty();
    assertThat(raw.json().get("prompt_eval_count").intValue())
        .isLessThan(asked.json().get("prompt_eval_count").intValue());
  }

  @Test
  void nothingToAnswerLoadsTheModel() {
    assertThat(running.post("/api/generate", "{\"model\":\"weft-tiny\"}").json().get("done_reason"))
        .hasToString("\"load\"");
    var running = OllamaTest.running.get("/api/ps").json().get("models");
    assertThat(running.get(0).get("name").stringValue()).isEqualTo("weft-tiny");
    assertThat(running.get(0).get("context_length").intValue()).isPositive();
  }

  @Test
  void modelsAreListedAndShown() {
    var tags = running.get("/api/tags").json().get("models");
    assertThat(tags.get(0).get("model").stringValue()).isEqualTo("weft-tiny");
    assertThat(tags.get(0).get("digest").stringValue()).hasSize(64);
    var shown = running.post("/api/show", "{\"model\":\"weft-tiny\"}");
    assertThat(shown.status()).as(shown.body()).isEqualTo(200);
    assertThat(shown.json().get("template").stringValue()).isNotEmpty();
    assertThat(shown.json().get("capabilities").toString()).contains("completion", "tools");
    assertThat(running.get("/api/version").json().get("version").stringValue()).isNotEmpty();
  }

  @Test
  void aModelThatIsToStayNoTimeGoes() {
    running.post("/api/generate", "{\"model\":\"weft-tiny\"}");
    var gone = running.post("/api/generate", "{\"model\":\"weft-tiny\",\"keep_alive\":0}").json();
    assertThat(gone.get("done_reason").stringValue()).isEqualTo("unload");
    assertThat(running.get("/api/ps").json().get("models")).isEmpty();
    var again = running.post("/api/chat", "{\"messages\":[],\"keep_alive\":\"5m\"}").json();
    assertThat(again.get("done_reason").stringValue()).isEqualTo("load");
    assertThat(running.get("/api/ps").json().get("models")).hasSize(1);
  }

  @Test
  void probabilitiesOfTokensComeWhereTheyAreWanted() {
    var wanted = ",\"logprobs\":true,\"top_logprobs\":2";
    var whole = running.post("/api/chat", STORY.formatted(wanted + ",\"stream\":false")).json();
    assertThat(whole.get("logprobs").size()).isEqualTo(whole.get("eval_count").intValue());
    assertThat(whole.at("/logprobs/0/top_logprobs")).hasSize(2);
    assertThat(whole.at("/logprobs/0/logprob").doubleValue()).isNegative();
    var lines = lines(running.post("/api/chat", STORY.formatted(wanted)));
    assertThat(lines.getFirst().at("/logprobs/0")).isEqualTo(whole.at("/logprobs/0"));
    var unwanted = running.post("/api/chat", STORY.formatted(",\"stream\":false")).json();
    assertThat(unwanted.has("logprobs")).isFalse();
  }

  @Test
  void whatItsFileSaysOfAModelIsShown() {
    var shown = running.post("/api/show", "{\"model\":\"weft-tiny\",\"verbose\":false}").json();
    assertThat(shown.at("/details/parameter_size").stringValue()).isEqualTo("12.3M");
    assertThat(shown.at("/details/quantization_level").stringValue()).isEqualTo("Q8_0");
    var info = shown.get("model_info");
    var family = info.get("general.architecture").stringValue();
    assertThat(info.get("general.parameter_count").longValue()).isBetween(11_000_000L, 13_000_000L);
    assertThat(info.get(family + ".block_count").intValue()).isPositive();
    assertThat(info.get("tokenizer.ggml.tokens")).isEmpty();
  }

  @Test
  void aLongTextIsCutUnlessItMayNotBe() {
    var body = "{\"model\":\"weft-tiny\",\"input\":\"%s\",\"truncate\":%b}";
    var text = "a b c d ".repeat(2000);
    assertThat(running.post("/api/embed", body.formatted(text, false)).status()).isEqualTo(400);
    var cut = running.post("/api/embed", body.formatted(text, true));
    assertThat(cut.status()).as(cut.body()).isEqualTo(200);
    assertThat(cut.json().get("prompt_eval_count").intValue()).isEqualTo(2048);
  }

  @Test
  void modelsAreNeitherFetchedNorMade() {
    var answer = running.post("/api/pull", "{\"model\":\"weft-tiny\"}");
    assertThat(answer.status()).isEqualTo(501);
    assertThat(answer.json().get("error").stringValue()).contains("/api/tags");
  }

  @Test
  void textsAreEmbedded() {
    var several =
        running.post("/api/embed", "{\"model\":\"weft-tiny\",\"input\":[\"a cat\",\"a dog\"]}");
    assertThat(several.status()).as(several.body()).isEqualTo(200);
    assertThat(several.json().get("embeddings")).hasSize(2);
    var one = running.post("/api/embeddings", "{\"model\":\"weft-tiny\",\"prompt\":\"a cat\"}");
    assertThat(one.json().get("embedding")).isEqualTo(several.json().at("/embeddings/0"));
  }

  @Test
  void toolsAndResultsAreTaken() {
    var answer =
        running.post(
            "/api/chat",
            """
            {"model":"weft-tiny","stream":false,"think":false,"options":{"num_predict":3},
             "tools":[{"type":"function","function":{"name":"weather","description":"tells it",
               "parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}],
             "messages":[{"role":"user","content":"How is it in Bonn?"},
               {"role":"assistant","content":"","tool_calls":[
                 {"function":{"name":"weather","arguments":{"city":"Bonn"}}}]},
               {"role":"tool","tool_name":"weather","content":"dry"}]}""");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /api/chat     | {"model":"x","messages":[{"role":"user","content":"a"}]} | 404 | weft-tiny
          /api/chat     | {"messages":[{"role":"robot","content":"a"}]}            | 400 | messages[0].role
          /api/chat     | {"messages":[{"role":"user","content":"a","images":["x"]}]} | 400 | images
          /api/chat     | {"messages":[{"role":"user","content":"a"}],"options":{"top_p":2}} | 400 | options.top_p
          /api/chat     | {"messages":[{"role":"user","content":"a"}],"keep_alive":"soon"} | 400 | keep_alive
          /api/generate | {"prompt":"a","suffix":"b"}                              | 400 | suffix
          /api/embed    | {"input":[1]}                                            | 400 | input
          /api/nothing  | {}                                                       | 404 | path
          """)
  void whatIsWrongIsSaidInItsShape(String path, String body, int status, String named) {
    var answer = running.post(path, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.json().get("error").stringValue()).contains(named);
  }
}
