package weft.serve.llama;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.serve.Running;

class LlamaCppTest {
  private static final String STORY =
      "{\"prompt\":\"Once upon a time\",\"temperature\":0,\"n_predict\":%d%s}";
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
  void aTextBecomesTokensAndATextAgain() {
    var tokens = running.post("/tokenize", "{\"content\":\"Hello world\"}").json().get("tokens");
    assertThat(tokens.size()).isPositive();
    var text = running.post("/detokenize", "{\"tokens\":%s}".formatted(tokens.toString()));
    assertThat(text.json().get("content").stringValue()).isEqualTo("Hello world");
    var pieces = running.post("/tokenize", "{\"content\":\"Hello\",\"with_pieces\":true}").json();
    assertThat(pieces.at("/tokens/0/piece").stringValue()).startsWith("H");
  }

  @Test
  void theTemplateIsShown() {
    var answer =
        running.post(
            "/apply-template", "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}");
    assertThat(answer.json().get("prompt").stringValue()).contains("Hello");
  }

  @Test
  void aTextGoesOn() {
    var whole = running.post("/completion", STORY.formatted(6, ",\"n_probs\":2,\"seed\":-1"));
    assertThat(whole.status()).as(whole.body()).isEqualTo(200);
    var json = whole.json();
    assertThat(json.get("stop").booleanValue()).isTrue();
    assertThat(json.get("stop_type").stringValue()).isEqualTo("limit");
    assertThat(json.get("tokens_predicted").intValue()).isEqualTo(6);
    assertThat(json.get("tokens_evaluated").intValue()).isPositive();
    assertThat(json.at("/timings/predicted_n").intValue()).isEqualTo(6);
    assertThat(json.get("completion_probabilities")).hasSize(6);
    assertThat(json.at("/completion_probabilities/0/top_logprobs")).hasSize(2);
    var text = new StringBuilder();
    var chunks = running.post("/completion", STORY.formatted(6, ",\"stream\":true")).events();
    for (var chunk : chunks) text.append(chunk.get("content").stringValue());
    assertThat(text.toString()).isEqualTo(json.get("content").stringValue());
    assertThat(chunks.getFirst().get("stop").booleanValue()).isFalse();
    assertThat(chunks.getLast().get("stop_type").stringValue()).isEqualTo("limit");
  }

  @Test
  void aTextEndsAtAWord() {
    var text = running.post("/completion", STORY.formatted(8, "")).json().get("content");
    var word = text.stringValue().strip().split("\\s+")[1];
    var json =
        running.post("/completion", STORY.formatted(8, ",\"stop\":[\"" + word + "\"]")).json();
    assertThat(json.get("stop_type").stringValue()).isEqualTo("word");
    assertThat(json.get("stopping_word").stringValue()).isEqualTo(word);
  }

  @Test
  void tokensMayBeForbiddenInPairs() {
    var first = STORY.formatted(1, ",\"n_probs\":1");
    var token = running.post("/completion", first).json().at("/completion_probabilities/0/id");
    var bias = ",\"n_probs\":1,\"logit_bias\":[[" + token + ",false]]";
    var other = running.post("/completion", STORY.formatted(1, bias)).json();
    assertThat(other.at("/completion_probabilities/0/id")).isNotEqualTo(token);
  }

  @Test
  void severalTextsHaveAnAnswerEach() {
    var json = running.post("/completion", "{\"prompt\":[\"One\",\"Two\"],\"n_predict\":1}").json();
    assertThat(json).hasSize(2);
    assertThat(json.at("/1/index").intValue()).isEqualTo(1);
  }

  @Test
  void whatAModelIsLikeIsShownWithoutWhereItLies() {
    var json = running.get("/props").json();
    assertThat(json.at("/default_generation_settings/n_ctx").intValue()).isPositive();
    assertThat(json.get("total_slots").intValue()).isPositive();
    assertThat(json.get("chat_template").stringValue()).isNotEmpty();
    assertThat(json.get("model_path").stringValue()).isEqualTo(Running.MODEL);
    assertThat(json.at("/modalities/vision").booleanValue()).isFalse();
    assertThat(running.get("/lora-adapters").json()).isEmpty();
  }

  @Test
  void whatIsNotThereIsSaid() {
    var slots = running.get("/slots");
    assertThat(slots.status()).isEqualTo(501);
    assertThat(slots.json().at("/error/code").intValue()).isEqualTo(501);
    assertThat(slots.json().at("/error/type").stringValue()).isEqualTo("not_supported_error");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/infill", "/rerank", "/v1/rerank", "/props", "/lora-adapters", "/slots/0"})
  void norWhatTakesABody(String path) {
    assertThat(running.post(path, "{}").status()).isEqualTo(501);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /tokenize   | {}                                    | content
          /tokenize   | {"content":5}                         | content
          /detokenize | {"tokens":"a"}                        | tokens
          /detokenize | {"tokens":[99999999]}                 | tokens
          /completion | {}                                    | prompt
          /completion | {"prompt":"a","n_predict":0}          | n_predict
          /completion | {"prompt":"a","n_probs":99}           | n_probs
          /completion | {"prompt":"a","logit_bias":[[1]]}     | logit_bias[0]
          /completion | {"prompt":"a","logit_bias":[["b",1]]} | logit_bias[0]
          """)
  void whatIsWrongIsSaidInItsShape(String path, String body, String named) {
    var answer = running.post(path, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/code").intValue()).isEqualTo(400);
    assertThat(answer.json().at("/error/type").stringValue()).isEqualTo("invalid_request_error");
    assertThat(answer.json().at("/error/message").stringValue()).contains(named);
  }
}
