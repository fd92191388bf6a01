package weft.serve.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.load.LoadOptions;
import weft.serve.Running;

class MessagesTest {
  private static final String PATH = "/v1/messages";
  private static final String STORY =
      """
      {"model":"weft-tiny","max_tokens":12,"temperature":0,
       "messages":[{"role":"user","content":"Tell me a story."}]%s}""";
  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void aMessageIsAnsweredAsAWhole() {
    var answer = running.post(PATH, STORY.formatted(""));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.response().headers().firstValue("request-id")).isPresent();
    var json = answer.json();
    assertThat(json.get("type").stringValue()).isEqualTo("message");
    assertThat(json.get("role").stringValue()).isEqualTo("assistant");
    assertThat(json.get("model").stringValue()).isEqualTo("weft-tiny");
    assertThat(json.at("/content/0/type").stringValue()).isEqualTo("text");
    assertThat(json.at("/content/0/text").stringValue()).isNotBlank();
    assertThat(json.get("stop_reason").stringValue()).isIn("max_tokens", "end_turn");
    assertThat(json.get("stop_sequence").isNull()).isTrue();
    assertThat(json.at("/usage/output_tokens").intValue()).isBetween(1, 12);
    assertThat(json.propertyNames()).contains("container", "stop_details");
    assertThat(json.get("usage").propertyNames())
        .contains(
            "cache_creation",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
            "output_tokens_details",
            "server_tool_use",
            "service_tier");
  }

  @Test
  void aStreamSaysTheSameInBlocks() {
    var whole = running.post(PATH, STORY.formatted("")).json();
    var streamed = running.post(PATH, STORY.formatted(",\"stream\":true"));
    var events = streamed.events();
    var types = events.stream().map(event -> event.get("type").stringValue()).distinct();
    assertThat(types)
        .containsExactly(
            "message_start",
            "ping",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop");
    assertThat(streamed.body()).contains("event: content_block_delta\ndata: {");
    var text = new StringBuilder();
    for (var event : events) text.append(event.at("/delta/text").asString(""));
    assertThat(text.toString()).isEqualTo(whole.at("/content/0/text").stringValue());
    var last = events.get(events.size() - 2);
    assertThat(last.at("/delta/stop_reason")).isEqualTo(whole.get("stop_reason"));
    assertThat(last.at("/usage/output_tokens")).isEqualTo(whole.at("/usage/output_tokens"));
    assertThat(events.getFirst().at("/message/content").isEmpty()).isTrue();
  }

  @Test
  void tokensAreCountedWithoutAnAnswer() {
    var whole = running.post(PATH, STORY.formatted("")).json();
    var counted =
        running.post(
            PATH + "/count_tokens",
            "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Tell me a story.\"}]}]}");
    assertThat(counted.status()).as(counted.body()).isEqualTo(200);
    assertThat(counted.json().get("input_tokens")).isEqualTo(whole.at("/usage/input_tokens"));
  }

  @Test
  void theStopSequenceIsNamed() {
    var text = running.post(PATH, STORY.formatted("")).json().at("/content/0/text").stringValue();
    var word = text.strip().split("\\s+")[1];
    var json =
        running
            .post(PATH, STORY.formatted(",\"stop_sequences\":[\"" + word + "\",\"never\"]"))
            .json();
    assertThat(json.get("stop_reason").stringValue()).isEqualTo("stop_sequence");
    assertThat(json.get("stop_sequence").stringValue()).isEqualTo(word);
    assertThat(json.at("/content/0/text").asString("")).doesNotContain(word);
  }

  @Test
  void systemToolsAndResultsAreTaken() {
    var answer =
        running.post(
            PATH,
            """
            {"max_tokens":1025,"system":[{"type":"text","text":"Be brief."}],
             "thinking":{"type":"enabled","budget_tokens":1024},
             "tools":[{"name":"weather","description":"tells it","input_schema":{"type":"object",
               "properties":{"city":{"type":"string"}},"required":["city"]}}],
             "tool_choice":{"type":"auto","disable_parallel_tool_use":true},
             "messages":[{"role":"user","content":"How is it in Bonn?"},
               {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"},
                 {"type":"text","text":"I look."},
                 {"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Bonn"}}]},
               {"role":"user","content":[
                 {"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"dry"}]},
                 {"type":"text","text":"Well?"}]}]}""");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().at("/usage/input_tokens").intValue()).isGreaterThan(50);
  }

  @Test
  void aDemandedToolIsCalledWhateverTheModelLikes() {
    var body =
        """
        {"max_tokens":64,"temperature":0,"messages":[{"role":"user","content":"How is it?"}],
         "tools":[{"name":"now","input_schema":{"type":"object","properties":{}}},
           {"name":"weather","input_schema":{"type":"object",
           "properties":{"city":{"type":"string","enum":["Bonn","Oslo"]}},"required":["city"]}}],
         "tool_choice":{"type":"tool","name":"weather"},"stream":%s}""";
    var json = running.post(PATH, body.formatted("false")).json();
    assertThat(json.get("stop_reason").stringValue()).isEqualTo("tool_use");
    assertThat(json.at("/content/0/name").stringValue()).isEqualTo("weather");
    assertThat(json.at("/content/0/id").stringValue()).startsWith("toolu_");
    assertThat(json.at("/content/0/caller/type").stringValue()).isEqualTo("direct");
    assertThat(json.at("/content/0/input/city").stringValue()).isIn("Bonn", "Oslo");
    var partial = new StringBuilder();
    for (var event : running.post(PATH, body.formatted("true")).events()) {
      partial.append(event.at("/delta/partial_json").asString(""));
    }
    assertThat(partial.toString()).contains(json.at("/content/0/input/city").stringValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"messages":[]}                                            | 400 | invalid_request_error | max_tokens
          {"max_tokens":1,"messages":[]}                             | 400 | invalid_request_error | messages
          {"max_tokens":0,"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | max_tokens
          {"max_tokens":1,"messages":[{"role":"robot","content":"a"}]} | 400 | invalid_request_error | messages[0].role
          {"max_tokens":1,"temperature":1.5,"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | temperature
          {"max_tokens":1,"messages":[{"role":"user","content":[{"type":"image"}]}]} | 400 | invalid_request_error | messages[0].content[0].source
          {"max_tokens":1,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]} | 400 | invalid_request_error | this model reads text alone
          {"max_tokens":1,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"*"}}]}]} | 400 | invalid_request_error | messages[0].content[0].source.data
          {"max_tokens":1,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}]}]} | 400 | invalid_request_error | fetches no images
          {"max_tokens":1,"tool_choice":{"type":"any"},"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | tools
          {"max_tokens":1,"tools":[{"type":"web_search_20250305","name":"web_search"}],"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | tools[0].type
          {"model":"x","max_tokens":1,"messages":[{"role":"user","content":"a"}]} | 404 | not_found_error | weft-tiny
          {"max_tokens":1,"messages":[{"role":"user","content":""}]} | 400 | invalid_request_error | messages[0].content
          {"max_tokens":1,"messages":[{"role":"user","content":[]}]} | 400 | invalid_request_error | messages[0].content
          {"max_tokens":1,"thinking":{"type":"enabled"},"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | thinking.budget_tokens
          {"max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":5},"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | thinking.budget_tokens
          {"max_tokens":1024,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | max_tokens
          {"max_tokens":1,"tools":[{"name":"a b","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | tools[0].name
          {"max_tokens":1,"tools":[{"name":"a","input_schema":{}}],"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | tools[0].input_schema.type
          {"max_tokens":1,"tools":[{"name":"a","input_schema":{"type":"object"}},{"name":"a","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | tools[1].name
          {"max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"a"}]}]} | 400 | invalid_request_error | messages[0].content[0].tool_use_id
          {"max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"f","input":{}}]},{"role":"user","content":"a"}]} | 400 | invalid_request_error | tool_result
          {"max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"f","input":{}}]}]} | 400 | invalid_request_error | tool_result
          {"max_tokens":1,"stop_sequences":"a","messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | stop_sequences
          {"max_tokens":1,"service_tier":"gold","messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | service_tier
          {"max_tokens":1,"output_config":{"effort":"some"},"messages":[{"role":"user","content":"a"}]} | 400 | invalid_request_error | output_config.effort
          [                                                          | 400 | invalid_request_error | JSON
          """)
  void whatIsWrongIsSaidInItsShape(String body, int status, String type, String named) {
    var answer = running.post(PATH, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.json().get("type").stringValue()).isEqualTo("error");
    assertThat(answer.json().at("/error/type").stringValue()).isEqualTo(type);
    assertThat(answer.json().at("/error/message").stringValue()).contains(named);
  }

  @Test
  void modelsAreListedForThoseWhoNameTheirVersion() {
    var version = "2023-06-01";
    var list =
        running.send(running.request("/v1/models").header("anthropic-version", version).GET());
    assertThat(list.json().at("/data/0/type").stringValue()).isEqualTo("model");
    assertThat(list.json().at("/data/0/display_name").stringValue()).isEqualTo("weft-tiny");
    assertThat(Instant.parse(list.json().at("/data/0/created_at").stringValue()))
        .isBefore(Instant.now());
    assertThat(list.json().get("has_more").booleanValue()).isFalse();
    var none =
        running.send(running.request("/v1/models/x").header("anthropic-version", version).GET());
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.json().at("/error/type").stringValue()).isEqualTo("not_found_error");
    assertThat(running.get("/v1/models").json().get("object").stringValue()).isEqualTo("list");
  }

  @Test
  void turnsOfOneRoleInARowAreOne() {
    var body = "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},%s]}";
    var apart =
        body.formatted(
            "{\"role\":\"assistant\",\"content\":\"b\"},{\"role\":\"assistant\",\"content\":\"c\"}");
    var together = body.formatted("{\"role\":\"assistant\",\"content\":\"bc\"}");
    var path = PATH + "/count_tokens";
    assertThat(running.post(path, apart).json()).isEqualTo(running.post(path, together).json());
  }

  @Test
  void theEndOfTheContextIsNoEndOfTheTokens() {
    try (var small =
        Running.start(
            options -> options, Running.shelf(LoadOptions.standard().withContextLength(64)))) {
      var json = small.post(PATH, STORY.formatted("").replace("12", "5000")).json();
      var longer = STORY.formatted("").replace("story", "very ".repeat(100) + "long story");
      assertThat(small.post(PATH, longer).json().at("/error/message").stringValue())
          .startsWith("prompt is too long: ")
          .endsWith(" tokens > 64 maximum");
      assertThat(json.get("stop_reason").stringValue()).isEqualTo("model_context_window_exceeded");
    }
  }

  @Test
  void aThreadIsRefusedSoThatClientsSendAllMessages() {
    var answer = running.post(PATH, STORY.formatted(",\"thread\":{\"type\":\"create\"}"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/error/details/error_code").stringValue())
        .isEqualTo("thread_unsupported_request");
  }

  @Test
  void aPathThatLeadsNowhereIsRefusedInItsShape() {
    var answer = running.get(PATH + "/batches");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.json().at("/error/type").stringValue()).isEqualTo("not_found_error");
    assertThat(running.get(PATH).status()).isEqualTo(405);
  }
}
