package weft.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.load.LoadOptions;

/** Who is let in, and what others are told. */
class ReceptionTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String HELLO =
      "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":2}";
  private static final List<Happening> HAPPENED = new ArrayList<>();

  private static Running open;
  private static Running locked;

  @BeforeAll
  static void start() {
    open =
        Running.start(
            options ->
                options
                    .withLargestBody(4096)
                    .withOrigins(List.of("https://page.example"))
                    .withLog(
                        happening -> {
                          synchronized (HAPPENED) {
                            HAPPENED.add(happening);
                          }
                        }),
            Running.shelf(LoadOptions.standard().withContextLength(512)));
    locked = Running.start(options -> options.withKeys(List.of("first", "second")));
  }

  @AfterAll
  static void stop() {
    open.close();
    locked.close();
  }

  private static Running.Answer ask(Running server, String... headers) {
    var request = server.request("/v1/models").GET();
    return server.send(headers.length == 0 ? request : request.headers(headers));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/health", "/v1/models", "/page/main.js"})
  void headIsAnsweredAsGetIsWithoutABody(String path) {
    var whole = open.get(path);
    var head = open.send(open.request(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    var headers = head.response().headers();
    assertThat(headers.firstValue("Content-Type"))
        .isEqualTo(whole.response().headers().firstValue("Content-Type"));
    assertThat(headers.firstValue("Content-Length"))
        .isEqualTo(whole.response().headers().firstValue("Content-Length"));
    assertThat(open.get("/health").status()).as("the connection is still good").isEqualTo(200);
  }

  @Test
  void anyKeyOpensInEitherHeader() {
    assertThat(ask(locked, "Authorization", "Bearer first").status()).isEqualTo(200);
    assertThat(ask(locked, "Authorization", "bearer second").status()).isEqualTo(200);
    assertThat(ask(locked, "x-api-key", "second").status()).isEqualTo(200);
  }

  @Test
  void withoutARightKeyThereIsNothing() {
    for (var answer :
        List.of(
            ask(locked),
            ask(locked, "Authorization", "Bearer thir"),
            ask(locked, "Authorization", "Basic first"),
            ask(locked, "x-api-key", ""))) {
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.json().at("/error/code").stringValue()).isEqualTo("invalid_api_key");
      assertThat(answer.body()).doesNotContain("thir").doesNotContain("first");
    }
    assertThat(locked.get("/nowhere").status()).isEqualTo(401);
    assertThat(locked.get("/metrics").status()).isEqualTo(401);
  }

  @Test
  void healthAndThePageNeedNoKey() {
    assertThat(locked.get("/health").status()).isEqualTo(200);
    assertThat(locked.get("/").status()).isEqualTo(200);
  }

  @Test
  void whatLeadsNowhereIsSaid() {
    var lost = open.get("/v1/nothing");
    assertThat(lost.status()).isEqualTo(404);
    assertThat(lost.json().at("/error/type").stringValue()).isEqualTo("invalid_request_error");
    var wrong = open.get(CHAT);
    assertThat(wrong.status()).isEqualTo(405);
    assertThat(wrong.response().headers().firstValue("Allow")).hasValue("POST");
  }

  @Test
  void aLargeBodyIsRefusedByItsLength() {
    var answer = open.post(CHAT, "{\"x\":\"" + "a".repeat(5000) + "\"}");
    assertThat(answer.status()).isEqualTo(413);
    var chunked =
        open.send(
            open.request(CHAT)
                .POST(
                    HttpRequest.BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(new byte[5000]))));
    assertThat(chunked.status()).isEqualTo(413);
    assertThat(open.post(CHAT, HELLO).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{\"messages\":[}",
        "{\"a\":1}{\"b\":2}",
        "\u0000\u0001",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"\uD800\"}]",
        "{\"messages\":1e999999}"
      })
  void whatIsNoRequestIsRefused(String body) {
    var answer = open.post(CHAT, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/message").stringValue()).isNotBlank();
  }

  @Test
  void nestingHasAnEnd() {
    var answer = open.post(CHAT, "{\"a\":" + "[".repeat(1500) + "]".repeat(1500) + "}");
    assertThat(answer.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'temperature':2.1             | temperature",
        "'temperature':'1'             | temperature",
        "'temperature':1e400           | temperature",
        "'top_p':-0.1                  | top_p",
        "'n':0                         | n",
        "'n':1000                      | n",
        "'max_tokens':-1               | max_tokens",
        "'max_tokens':1.5              | max_tokens",
        "'max_tokens':99999999999999999999 | max_tokens",
        "'presence_penalty':3          | presence_penalty",
        "'logit_bias':{'a':1}          | logit_bias",
        "'logit_bias':{'1':101}        | logit_bias.1",
        "'logit_bias':{'99999999':1}   | logit_bias",
        "'top_logprobs':21             | top_logprobs",
        "'top_logprobs':2              | top_logprobs",
        "'stop':['']                   | stop",
        "'stop':5                      | stop",
        "'seed':'x'                    | seed",
        "'stream':1                    | stream",
        "'tools':[{'type':'magic'}]    | tools[0].type",
        "'tools':[{'type':'function','function':{'name':'a b'}}] | tools[0].function.name",
        "'tool_choice':'required'      | tool_choice",
        "'tool_choice':'perhaps'       | tool_choice",
        "'functions':[]                | functions",
        "'response_format':{'type':'xml'} | response_format.type",
        "'response_format':{'type':'json_schema'} | response_format.json_schema",
        "'reasoning_effort':'enormous' | reasoning_effort",
        "'chat_template_kwargs':{'messages':1} | chat_template_kwargs",
        "'modalities':['audio']        | modalities",
      })
  void aFieldOutOfItsRangeIsNamed(String field, String name) {
    var body = HELLO.replace(",\"max_tokens\":2}", "," + field.replace('\'', '"') + "}");
    var answer = open.post(CHAT, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/param").stringValue()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                              | messages",
        "{'messages':[]}                                 | messages",
        "{'messages':[{'role':'king','content':'a'}]}    | messages[0].role",
        "{'messages':[{'role':'user'}]}                  | messages[0].content",
        "{'messages':[{'role':'user','content':[{'type':'image_url'}]}]} | messages[0].content[0].image_url",
        "{'messages':[{'role':'user','content':[{'type':'image_url','image_url':{'url':'data:;base64,AAAA'}}]}]} | messages[0].content[0].image_url.url",
        "{'messages':[{'role':'user','content':[{'type':'input_audio'}]}]} | messages[0].content[0].type",
        "{'messages':[{'role':'tool','content':'a'}]}    | messages[0].tool_call_id",
        "{'messages':[{'role':'assistant','tool_calls':[{'id':'1','function':{'name':'f','arguments':'{'}}]}]} | messages[0].tool_calls[0].function.arguments",
        "{'messages':'hello'}                            | messages",
      })
  void aMessageThatIsNoneIsNamed(String body, String name) {
    var answer = open.post(CHAT, body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/param").stringValue()).isEqualTo(name);
  }

  @Test
  void aPromptBeyondTheContextHasBothNumbers() {
    var tokens = "1,".repeat(599) + "1";
    var answer = open.post("/v1/completions", "{\"prompt\":[" + tokens + "]}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/error/code").stringValue()).isEqualTo("context_length_exceeded");
    assertThat(answer.json().at("/error/message").stringValue()).contains("600", "512");
  }

  @Test
  void onlyListedPagesMayCall() {
    var listed = ask(open, "Origin", "https://page.example");
    assertThat(listed.response().headers().firstValue("Access-Control-Allow-Origin"))
        .hasValue("https://page.example");
    var other = ask(open, "Origin", "https://other.example");
    assertThat(other.response().headers().map().keySet())
        .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    var asked =
        open.send(
            open.request(CHAT)
                .headers("Origin", "https://page.example", "Access-Control-Request-Method", "POST")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
    assertThat(asked.status()).isEqualTo(204);
    assertThat(asked.response().headers().firstValue("Access-Control-Allow-Headers"))
        .hasValueSatisfying(headers -> assertThat(headers).contains("Authorization"));
    // What a browser sends for any page without asking first.
    var silent =
        open.send(
            open.request(CHAT)
                .headers("Origin", "https://other.example", "Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(HELLO)));
    assertThat(silent.status()).isEqualTo(403);
  }

  @Test
  void nothingThatAClientSentIsLogged() {
    open.post("/secret-path?q=secret-query", "{\"secret\":\"body\"}");
    open.post(CHAT, HELLO.replace("Hello", "secret-words"));
    open.post(CHAT, "{\"model\":\"secret-model\",\"messages\":[]}");
    synchronized (HAPPENED) {
      assertThat(HAPPENED).isNotEmpty();
      assertThat(HAPPENED.toString()).doesNotContain("secret");
    }
  }

  @Test
  void aPathMayLeaveTheVersionOut() {
    assertThat(open.get("/models").json().get("data").size()).isEqualTo(1);
    assertThat(open.post("/chat/completions", HELLO).status()).isEqualTo(200);
    assertThat(open.post("/chat/nothing", HELLO).status()).isEqualTo(404);
  }
}
