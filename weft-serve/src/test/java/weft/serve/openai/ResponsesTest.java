package weft.serve.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import weft.serve.Running;

class ResponsesTest {
  private static final String PATH = "/v1/responses";

  /** What the published description of the interface wants of every response. */
  private static final List<String> REQUIRED =
      List.of(
          "id",
          "object",
          "created_at",
          "completed_at",
          "status",
          "incomplete_details",
          "model",
          "previous_response_id",
          "instructions",
          "output",
          "error",
          "tools",
          "tool_choice",
          "truncation",
          "parallel_tool_calls",
          "text",
          "top_p",
          "presence_penalty",
          "frequency_penalty",
          "top_logprobs",
          "temperature",
          "reasoning",
          "user",
          "usage",
          "max_output_tokens",
          "max_tool_calls",
          "store",
          "background",
          "service_tier",
          "metadata",
          "safety_identifier",
          "prompt_cache_key");

  private static final String TOOL =
      """
      {"type":"function","name":"weather","description":"tells it","parameters":{"type":"object",
       "properties":{"city":{"type":"string","enum":["Bonn","Oslo"]}},"required":["city"]}}""";

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
  void whatIsGoneOnFromMustBeThere() {
    var answer = running.post(PATH, "{\"input\":\"Hi\",\"previous_response_id\":\"resp_none\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/error/code").stringValue())
        .isEqualTo("previous_response_not_found");
    assertThat(answer.json().at("/error/param").stringValue()).isEqualTo("previous_response_id");
  }

  @Test
  void whoGoesOnMayHaveNothingToAdd() {
    var first = running.post(PATH, "{\"input\":\"Hi\",\"max_output_tokens\":4}").json();
    var next =
        running.post(
            PATH,
            "{\"previous_response_id\":\"%s\",\"max_output_tokens\":2}"
                .formatted(first.get("id").stringValue()));
    assertThat(next.status()).as(next.body()).isEqualTo(200);
  }

  @Test
  void itemsOfAnInputComeInPages() {
    var items = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      items.append("{\"role\":\"user\",\"content\":\"%d\"},".formatted(i));
    }
    items.setLength(items.length() - 1);
    var made = running.post(PATH, "{\"input\":[%s],\"max_output_tokens\":1}".formatted(items));
    var list = PATH + "/" + made.json().get("id").stringValue() + "/input_items";
    var page = running.get(list + "?limit=2&order=asc").json();
    assertThat(page.at("/data/0/content/0/text").stringValue()).isEqualTo("0");
    assertThat(page.get("has_more").booleanValue()).isTrue();
    assertThat(page.get("last_id")).isEqualTo(page.at("/data/1/id"));
    var last = page.get("last_id").stringValue();
    var rest = running.get(list + "?limit=100&order=asc&after=" + last).json();
    assertThat(rest.get("data")).hasSize(3);
    assertThat(rest.at("/data/0/content/0/text").stringValue()).isEqualTo("2");
    assertThat(rest.get("has_more").booleanValue()).isFalse();
    assertThat(running.get(list).json().at("/data/0/content/0/text").stringValue()).isEqualTo("4");
    for (var wrong : List.of("limit=0", "limit=101", "limit=x", "order=up", "after=none")) {
      assertThat(running.get(list + "?" + wrong).status()).as(wrong).isEqualTo(400);
    }
  }

  @Test
  void aConversationIsMadeOneItemThatIsGoneOnFrom() {
    var made =
        running.post(
            PATH + "/compact",
            """
            {"model":"weft-tiny","instructions":"Be kind.","input":[
              {"role":"user","content":"My name is Ada."},{"role":"assistant","content":"Hello."},
              {"type":"function_call","call_id":"c1","name":"look","arguments":"{}"},
              {"type":"function_call_output","call_id":"c1","output":"grey"}]}""");
    assertThat(made.status()).as(made.body()).isEqualTo(200);
    assertThat(made.json().get("object").stringValue()).isEqualTo("response.compaction");
    assertThat(made.json().at("/output/0/type").stringValue()).isEqualTo("compaction");
    assertThat(made.json().at("/usage/output_tokens").intValue()).isPositive();
    assertThat(running.post(PATH + "/compact", "{\"input\":\"a\"}").status()).isEqualTo(400);
    var item = made.json().at("/output/0").toString();
    var next =
        "{\"input\":[%s,{\"role\":\"user\",\"content\":\"Go on.\"}],\"max_output_tokens\":%d}";
    var short1 = running.post(PATH, "{\"input\":\"Go on.\",\"max_output_tokens\":1}").json();
    var long1 = running.post(PATH, next.formatted(item, 1)).json();
    assertThat(long1.at("/usage/input_tokens").intValue())
        .as(long1.toString())
        .isGreaterThan(short1.at("/usage/input_tokens").intValue());
    var broken =
        running.post(
            PATH, next.formatted("{\"type\":\"compaction\",\"encrypted_content\":\"*\"}", 1));
    assertThat(broken.status()).isEqualTo(400);
    assertThat(broken.json().at("/error/param").stringValue())
        .isEqualTo("input[0].encrypted_content");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'include':['everything']                  | include",
        "'stream_options':{'include_obfuscation':true} | stream_options",
        "'text':{'verbosity':'chatty'}             | text.verbosity",
        "'reasoning':{'summary':'long'}            | reasoning.summary",
        "'max_tool_calls':0                        | max_tool_calls",
        "'service_tier':'gold'                     | service_tier",
        "'metadata':{'a':5}                        | metadata.a",
      })
  void whatChangesNoAnswerMustBeRightAllTheSame(String field, String named) {
    var answer = running.post(PATH, "{\"input\":\"Hi\"," + field.replace('\'', '"') + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/param").stringValue()).isEqualTo(named);
  }

  private static JsonNode created(String fields) {
    var answer = running.post(PATH, "{\"model\":\"weft-tiny\",\"temperature\":0," + fields + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void aResponseSaysAllThatTheDescriptionWants() {
    var json = created("\"input\":\"Tell me a story.\",\"max_output_tokens\":16");
    for (var name : REQUIRED) assertThat(json.has(name)).as(name).isTrue();
    assertThat(json.get("status").stringValue()).isIn("completed", "incomplete");
    assertThat(json.at("/output/0/type").stringValue()).isEqualTo("message");
    assertThat(json.at("/output/0/content/0/type").stringValue()).isEqualTo("output_text");
    assertThat(json.at("/output/0/content/0/annotations").isArray()).isTrue();
    assertThat(json.at("/usage/total_tokens").intValue()).isPositive();
  }

  @Test
  void aStreamTellsEachStepInOrder() {
    var fields =
        "\"input\":[{\"role\":\"user\",\"content\":\"Tell me a story.\"}],\"max_output_tokens\":16";
    var whole = created(fields);
    var streamed =
        running.post(
            PATH, "{\"model\":\"weft-tiny\",\"temperature\":0,\"stream\":true," + fields + "}");
    var events = streamed.events();
    var types = new ArrayList<String>();
    var text = new StringBuilder();
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).get("sequence_number").intValue()).isEqualTo(i);
      var type = events.get(i).get("type").stringValue();
      if (types.isEmpty() || !types.getLast().equals(type)) types.add(type);
      if (type.equals("response.output_text.delta")) {
        text.append(events.get(i).get("delta").stringValue());
      }
    }
    assertThat(types)
        .containsExactly(
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response." + whole.get("status").stringValue());
    assertThat(text.toString()).isEqualTo(whole.at("/output/0/content/0/text").stringValue());
    assertThat(streamed.data().getLast()).isEqualTo("[DONE]");
    assertThat(streamed.body()).contains("event: response.created\n");
    for (var name : REQUIRED) {
      assertThat(events.getLast().get("response").has(name)).as(name).isTrue();
    }
  }

  @Test
  void aDemandedToolIsCalledWhateverTheModelLikes() {
    var fields =
        "\"input\":\"How is it?\",\"tool_choice\":\"required\",\"parallel_tool_calls\":false,\"tools\":["
            + TOOL
            + "]";
    var item = created(fields).at("/output/0");
    assertThat(item.get("type").stringValue()).isEqualTo("function_call");
    assertThat(item.get("name").stringValue()).isEqualTo("weather");
    assertThat(item.get("arguments").stringValue())
        .matches("\\{\\s*\"city\"\\s*:\\s*\"(Bonn|Oslo)\"\\s*\\}");
    var streamed =
        running.post(
            PATH, "{\"model\":\"weft-tiny\",\"temperature\":0,\"stream\":true," + fields + "}");
    var types = streamed.events().stream().map(event -> event.get("type").stringValue()).distinct();
    assertThat(types)
        .containsExactly(
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "response.completed");
  }

  @Test
  void aResponseIsGoneOnFromFoundAndForgotten() {
    var first =
        created(
            "\"input\":\"My cat is Tom.\",\"max_output_tokens\":16,\"instructions\":\"Be brief.\"");
    var id = first.get("id").stringValue();
    var second =
        created(
            "\"input\":\"Who is my cat?\",\"max_output_tokens\":16,\"previous_response_id\":\""
                + id
                + "\"");
    assertThat(second.get("previous_response_id").stringValue()).isEqualTo(id);
    assertThat(second.at("/usage/input_tokens").intValue())
        .isGreaterThan(first.at("/usage/output_tokens").intValue());
    assertThat(running.get(PATH + "/" + id).json()).isEqualTo(first);
    var items = running.get(PATH + "/" + id + "/input_items").json();
    assertThat(items.at("/data/0/content/0/text").stringValue()).isEqualTo("My cat is Tom.");
    var deleted = running.send(running.request(PATH + "/" + id).DELETE());
    assertThat(deleted.json().get("deleted").booleanValue()).isTrue();
    assertThat(running.get(PATH + "/" + id).status()).isEqualTo(404);
    var unkept = created("\"input\":\"x\",\"max_output_tokens\":1,\"store\":false");
    assertThat(running.get(PATH + "/" + unkept.get("id").stringValue()).status()).isEqualTo(404);
  }

  @Test
  void callsAndTheirOutputsAreItems() {
    var json =
        created(
            """
            "max_output_tokens":16,"tools":[%s],"input":[
              {"type":"message","role":"user","content":[{"type":"input_text","text":"How is it?"}]},
              {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}]},
              {"type":"function_call","call_id":"call_1","name":"weather","arguments":"{\\"city\\":\\"Bonn\\"}"},
              {"type":"function_call_output","call_id":"call_1","output":"dry"}]"""
                .formatted(TOOL));
    assertThat(json.at("/tools/0/name").stringValue()).isEqualTo("weather");
    assertThat(json.get("output").isEmpty()).isFalse();
  }

  @Test
  void aLongPastIsCutWhereThatIsAskedFor() {
    var past = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      past.append("{\"role\":\"user\",\"content\":\"Tell me a long story of a cat and a dog.\"},");
    }
    var input =
        "\"max_output_tokens\":4,\"input\":[" + past + "{\"role\":\"user\",\"content\":\"Hi\"}]";
    var refused = running.post(PATH, "{" + input + "}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().at("/error/code").stringValue()).isEqualTo("context_length_exceeded");
    assertThat(created(input + ",\"truncation\":\"auto\"").get("truncation").stringValue())
        .isEqualTo("auto");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                 | 400 | input
          {"input":[{"type":"robot"}]}                       | 400 | input[0].type
          {"input":[{"type":"function_call_output","call_id":"x","output":"a"}]} | 400 | input[0].call_id
          {"input":[]}                                       | 400 | input
          {"input":"a","previous_response_id":"resp_none"}   | 400 | resp_none
          {"input":"a","background":true}                    | 400 | background
          {"input":"a","tools":[{"type":"web_search"}]}      | 400 | tools[0].type
          {"input":"a","temperature":3}                      | 400 | temperature
          {"input":[{"role":"user","content":[{"type":"input_image"}]}]} | 400 | input[0].content[0].image_url
          {"input":[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}]} | 400 | this model reads text alone
          {"input":[{"role":"user","content":[{"type":"input_image","file_id":"f"}]}]} | 400 | input[0].content[0].file_id
          {"input":[{"role":"system","content":[{"type":"input_image","image_url":"data:;base64,AA=="}]}]} | 400 | input[0].content
          """)
  void whatIsWrongIsSaidInItsShape(String body, int status, String named) {
    var answer = running.post(PATH, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.json().at("/error/message").stringValue()).contains(named);
  }
}
