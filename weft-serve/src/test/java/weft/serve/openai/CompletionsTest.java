package weft.serve.openai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.serve.Running;

class CompletionsTest {
  private static final String PATH = "/v1/completions";
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
  void severalPromptsAreAnsweredInTheirOrder() {
    var answer =
        running.post(
            PATH,
            """
            {"prompt":["Once upon a time","One day"],"n":2,"max_tokens":4,"temperature":0,
             "echo":true}""");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    var choices = answer.json().get("choices");
    assertThat(choices.size()).isEqualTo(4);
    assertThat(choices.get(0).get("text").stringValue()).startsWith("Once upon a time");
    assertThat(choices.get(3).get("text").stringValue()).startsWith("One day");
    assertThat(choices.get(3).get("index").intValue()).isEqualTo(3);
    assertThat(choices.get(0).get("text")).isEqualTo(choices.get(1).get("text"));
  }

  @Test
  void tokensAreAPromptAndAreEchoedAsText() {
    var tokens = running.post("/tokenize", "{\"content\":\"Once upon\"}").json().get("tokens");
    var answer =
        running.post(
            PATH, "{\"prompt\":%s,\"max_tokens\":2,\"echo\":true}".formatted(tokens.toString()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().at("/choices/0/text").stringValue()).contains("Once upon");
  }

  @Test
  void anEchoHasTheProbabilitiesOfThePrompt() {
    var body =
        """
        {"prompt":"Once upon a time","max_tokens":%d,"temperature":0,"logprobs":2,"echo":true}""";
    var alone = running.post(PATH, body.formatted(0)).json().at("/choices/0");
    assertThat(alone.get("text").stringValue()).isEqualTo("Once upon a time");
    assertThat(alone.get("finish_reason").stringValue()).isEqualTo("length");
    var choice = running.post(PATH, body.formatted(1)).json().at("/choices/0");
    var logprobs = choice.get("logprobs");
    int prompt = alone.at("/logprobs/tokens").size();
    assertThat(logprobs.get("tokens").size()).isEqualTo(prompt + 1);
    assertThat(logprobs.at("/text_offset/" + prompt).intValue()).isEqualTo(16);
    var text = new StringBuilder();
    for (var token : logprobs.get("tokens").values()) text.append(token.stringValue());
    assertThat(text.toString()).isEqualTo(choice.get("text").stringValue());
    // What is said of a token is the same whether it was read or written.
    var written =
        running
            .post(
                PATH,
                "{\"prompt\":\"Once upon a\",\"max_tokens\":1,\"temperature\":0,\"logprobs\":0}")
            .json()
            .at("/choices/0");
    assertThat(written.get("text").stringValue()).isEqualTo(" time");
    assertThat(logprobs.at("/token_logprobs/" + (prompt - 1)).doubleValue())
        .isCloseTo(
            written.at("/logprobs/token_logprobs/0").doubleValue(),
            org.assertj.core.data.Offset.offset(0.1));
    var streamed = running.post(PATH, body.formatted(1).replace("{", "{\"stream\":true,"));
    assertThat(streamed.events().getFirst().at("/choices/0/logprobs/tokens").size())
        .isEqualTo(prompt);
  }

  @Test
  void probabilitiesAreGivenForEachToken() {
    var answer =
        running.post(
            PATH, "{\"prompt\":\"Once upon a\",\"max_tokens\":3,\"temperature\":0,\"logprobs\":2}");
    var logprobs = answer.json().at("/choices/0/logprobs");
    assertThat(logprobs.get("tokens").size()).isEqualTo(3);
    assertThat(logprobs.get("token_logprobs").size()).isEqualTo(3);
    assertThat(logprobs.get("top_logprobs").get(0).size()).isEqualTo(2);
    assertThat(logprobs.get("text_offset").get(0).intValue()).isZero();
  }

  @Test
  void aStreamSaysTheSameAsTheWhole() {
    var body = "{\"prompt\":\"Once upon a\",\"max_tokens\":6,\"temperature\":0,\"stream\":%s}";
    var whole = running.post(PATH, body.formatted(false)).json();
    var streamed = running.post(PATH, body.formatted(true));
    var text = new StringBuilder();
    for (var event : streamed.events()) text.append(event.at("/choices/0/text").stringValue());
    assertThat(text.toString()).isEqualTo(whole.at("/choices/0/text").stringValue());
    assertThat(streamed.data().getLast()).isEqualTo("[DONE]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                            | prompt",
        "{'prompt':[]}                                 | prompt",
        "{'prompt':'a','suffix':'b'}                   | suffix",
        "{'prompt':'a','best_of':3}                    | best_of",
        "{'prompt':'a','logprobs':6}                   | logprobs",
        "{'prompt':[-1]}                               | prompt[0]",
        "{'prompt':[999999]}                           | prompt",
        "{'prompt':['a',1]}                            | prompt[1]",
      })
  void whatCannotBeIsRefusedByName(String body, String field) {
    var answer = running.post(PATH, body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/param").stringValue()).isEqualTo(field);
  }

  @Test
  void aTextIsEmbeddedAsAVectorOfLengthOne() {
    var whole = running.post("/v1/embeddings", "{\"input\":[\"a cat\",\"a dog\"]}").json();
    assertThat(whole.get("data").size()).isEqualTo(2);
    double square = 0;
    for (var value : whole.at("/data/0/embedding")) square += Math.pow(value.doubleValue(), 2);
    assertThat(square).isBetween(0.999, 1.001);
    var packed =
        running
            .post(
                "/v1/embeddings",
                "{\"input\":\"a cat\",\"encoding_format\":\"base64\",\"dimensions\":8}")
            .json();
    var bytes = java.util.Base64.getDecoder().decode(packed.at("/data/0/embedding").stringValue());
    assertThat(bytes).hasSize(32);
    assertThat(running.post("/v1/embeddings", "{\"input\":\"\"}").status()).isEqualTo(400);
    assertThat(running.post("/v1/embeddings", "{\"input\":\"a\",\"dimensions\":99999}").status())
        .isEqualTo(400);
  }
}
