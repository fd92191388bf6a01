package weft.serve.openai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import weft.serve.Running;

class ChatCompletionsTest {
  private static final String PATH = "/v1/chat/completions";
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
  void aQuestionIsAnsweredAsAWhole() {
    var answer =
        running.post(
            PATH,
            """
            {"messages":[{"role":"user","content":"Tell me a story."}],
             "max_tokens":12,"temperature":0}""");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    var json = answer.json();
    assertThat(json.get("object").stringValue()).isEqualTo("chat.completion");
    assertThat(json.get("model").stringValue()).isEqualTo(Running.MODEL);
    var choice = json.get("choices").get(0);
    assertThat(choice.get("message").get("role").stringValue()).isEqualTo("assistant");
    assertThat(choice.get("message").get("content").stringValue()).isNotBlank();
    assertThat(choice.get("finish_reason").stringValue()).isIn("length", "stop");
    assertThat(json.get("usage").get("completion_tokens").intValue()).isBetween(1, 12);
    assertThat(json.at("/usage/completion_tokens_details/accepted_prediction_tokens").intValue())
        .isZero();
  }

  @Test
  void aStreamSaysTheSameAsTheWhole() {
    var body =
        """
        {"messages":[{"role":"user","content":"Tell me a story."}],
         "max_tokens":12,"temperature":0%s}""";
    var whole = running.post(PATH, body.formatted("")).json();
    var streamed =
        running.post(
            PATH, body.formatted(",\"stream\":true,\"stream_options\":{\"include_usage\":true}"));
    assertThat(streamed.status()).as(streamed.body()).isEqualTo(200);
    assertThat(streamed.data().getLast()).isEqualTo("[DONE]");
    var events = streamed.events();
    assertThat(events.stream().map(event -> event.get("created")).distinct()).hasSize(1);
    assertThat(events.stream().map(event -> event.get("id")).distinct()).hasSize(1);
    assertThat(events.stream().filter(event -> event.at("/choices/0/delta").has("role")))
        .hasSize(1);
    assertThat(events.getLast().at("/timings/predicted_n"))
        .isEqualTo(whole.at("/usage/completion_tokens"));
    assertThat(events.getFirst().at("/choices/0/delta/role").stringValue()).isEqualTo("assistant");
    var text = new StringBuilder();
    for (var event : events) text.append(event.at("/choices/0/delta/content").asString(""));
    assertThat(text.toString()).isEqualTo(whole.at("/choices/0/message/content").stringValue());
    assertThat(events.getLast().get("choices").isEmpty()).isTrue();
    assertThat(events.getLast().at("/usage/completion_tokens"))
        .isEqualTo(whole.at("/usage/completion_tokens"));
    assertThat(events.get(events.size() - 2).at("/choices/0/finish_reason"))
        .isEqualTo(whole.at("/choices/0/finish_reason"));
  }

  @Test
  void whatChangesNoAnswerIsTaken() {
    var answer =
        running.post(
            PATH,
            """
            {"messages":[{"role":"developer","content":"Be brief."},
              {"role":"user","name":"Ada","content":[{"type":"text","text":"Hello"}]},
              {"role":"assistant","content":null,"refusal":"No."},{"role":"user","content":"Please"}],
             "max_tokens":3,"max_completion_tokens":3,"user":"u","store":false,"metadata":{"a":"b"},
             "service_tier":"auto","verbosity":"low","prompt_cache_key":"k","safety_identifier":"s",
             "stop":null,"tools":null,"stream_options":null,"temperature":null,"n":null}""");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().get("service_tier").stringValue()).isEqualTo("default");
    assertThat(answer.json().get("id").stringValue()).startsWith("chatcmpl-");
    assertThat(answer.json().at("/timings/predicted_n"))
        .isEqualTo(answer.json().at("/usage/completion_tokens"));
  }

  @Test
  void tokensAreCountedWithoutAnAnswer() {
    var body = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":1}";
    var counted = running.post(PATH + "/input_tokens", body).json();
    assertThat(counted.get("input_tokens"))
        .isEqualTo(running.post(PATH, body).json().at("/usage/prompt_tokens"));
  }

  @Test
  void anUnknownModelListsThoseServed() {
    var answer =
        running.post(
            PATH, "{\"model\":\"x\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.json().at("/error/code").stringValue()).isEqualTo("model_not_found");
    assertThat(answer.json().at("/error/message").stringValue()).contains(Running.MODEL);
  }

  @Test
  void anAnswerKeepsItsForm() {
    var body =
        """
        {"messages":[{"role":"user","content":"Tell me."}],"max_tokens":600,"seed":1,
         "response_format":%s}""";
    var schema =
        """
        {"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":{"type":"object",
         "properties":{"colour":{"enum":["red","blue"]},"sure":{"type":"boolean"}},
         "required":["colour","sure"],"additionalProperties":false}}}""";
    var answer = running.post(PATH, body.formatted(schema));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    var text = answer.json().at("/choices/0/message/content").stringValue();
    assertThat(text).matches("(?s)\\s*\\{.*\"colour\"\\s*:\\s*\"(red|blue)\".*\"sure\".*}\\s*");
    var pattern =
        running.post(
            PATH,
            """
            {"messages":[{"role":"user","content":"Tell me."}],"regex":"(yes|no) [0-9]{3}"}""");
    assertThat(pattern.json().at("/choices/0/message/content").stringValue())
        .matches("(yes|no) [0-9]{3}");
    var refused =
        running.post(
            PATH,
            body.formatted(
                """
                {"type":"json_schema","json_schema":{"name":"x","schema":{"type":"strange"}}}"""));
    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
  }

  @Test
  void aDemandedToolIsCalled() {
    var answer =
        running.post(
            PATH,
            """
            {"messages":[{"role":"user","content":"Weather in Rome?"}],"max_tokens":300,"seed":1,
             "tools":[{"type":"function","function":{"name":"weather","description":"The weather",
               "parameters":{"type":"object","properties":{"city":{"enum":["Rome","Paris"]}},
               "required":["city"],"additionalProperties":false}}}],
             "tool_choice":{"type":"function","function":{"name":"weather"}}}""");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void probabilitiesAreOfTheTokensThatCame() {
    var answer =
        running.post(
            PATH,
            """
            {"messages":[{"role":"user","content":"Tell me."}],"max_tokens":4,"temperature":0,
             "logprobs":true,"top_logprobs":3,"n":2}""");
    var choices = answer.json().get("choices");
    assertThat(choices.size()).isEqualTo(2);
    var content = choices.get(0).at("/logprobs/content");
    assertThat(content.size()).isEqualTo(4);
    assertThat(content.get(0).get("top_logprobs").size()).isEqualTo(3);
    assertThat(content.get(0).get("logprob")).isEqualTo(content.at("/0/top_logprobs/0/logprob"));
  }
}
