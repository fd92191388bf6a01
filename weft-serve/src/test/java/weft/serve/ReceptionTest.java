package weft.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
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
  void headHasNoBodyThatTheNextAnswerWouldBeTakenFor() throws IOException {
    var head = "HEAD /v1/models HTTP/1.1\r\nHost: a\r\n\r\n";
    var get = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    try (var socket = new Socket("127.0.0.1", open.port())) {
      socket.getOutputStream().write((head + get).getBytes(StandardCharsets.US_ASCII));
      var all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).doesNotContain("\"object\"").endsWith("{\"status\":\"ok\"}");
      assertThat(all.split("\r\n\r\n")[1]).startsWith("HTTP/1.1 200");
    }
  }

  /**
   * Who reads until the end of it would wait for as long as the server keeps silent connections.
   */
  @Test
  void aConnectionIsClosedForWhoAsksForIt() throws IOException {
    var get = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Close\r\n\r\n";
    try (var socket = new Socket("127.0.0.1", open.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(get.getBytes(StandardCharsets.US_ASCII));
      var all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).containsIgnoringCase("connection: close").endsWith("{\"status\":\"ok\"}");
    }
  }

  @Test
  void aStreamIsWholeForWhoAsksForTheEndOfTheConnection() throws IOException {
    var body = "{\"prompt\":\"a\",\"max_tokens\":2,\"stream\":true}";
    var post =
        "POST /v1/completions HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body);
    try (var socket = new Socket("127.0.0.1", open.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(post.getBytes(StandardCharsets.US_ASCII));
      var all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).contains("data: [DONE]").endsWith("\r\n0\r\n\r\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, 200, ''",
    "x-gzip, 200, ''",
    "deflate, 200, ''",
    "identity, 400, invalid_json",
    "br, 415, unsupported_content_encoding"
  })
  void aPackedBodyIsUnpacked(String coding, int status, String code) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream out =
        coding.equals("deflate")
            ? new DeflaterOutputStream(packed)
            : new GZIPOutputStream(packed)) {
      out.write(HELLO.getBytes(StandardCharsets.UTF_8));
    }
    var answer = packed(coding, packed.toByteArray());
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.json().at("/error/code").asString("")).isEqualTo(code);
  }

  private static Running.Answer packed(String coding, byte[] body) {
    return open.send(
        open.request(CHAT)
            .headers("Content-Type", "application/json", "Content-Encoding", coding)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  @Test
  void whatIsUnpackedHasTheLimitOfABody() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(new byte[1 << 20]);
    }
    assertThat(packed.size()).isLessThan(4096);
    assertThat(packed("gzip", packed.toByteArray()).status()).isEqualTo(413);
    assertThat(packed("gzip", HELLO.getBytes(StandardCharsets.UTF_8)).status()).isEqualTo(400);
  }

  @Test
  void everyAnswerHasAnId() {
    for (var path : List.of("/v1/models", "/health", "/nowhere", "/api/tags", "/tokenize")) {
      var id = open.get(path).response().headers().firstValue("x-request-id");
      assertThat(id).as(path).hasValueSatisfying(each -> assertThat(each).startsWith("req_"));
    }
    var refused = open.post("/v1/messages", "{}");
    assertThat(refused.response().headers().firstValue("request-id"))
        .hasValue(refused.json().get("request_id").stringValue());
  }

  @Test
  void optionsSayWhatAPathTakes() {
    var none = HttpRequest.BodyPublishers.noBody();
    var answer = open.send(open.request("/v1/models").method("OPTIONS", none));
    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.response().headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
  }

  @Test
  void eventsSayTheirCharset() {
    var answer = open.post(CHAT, HELLO.replace("\"max_tokens\"", "\"stream\":true,\"max_tokens\""));
    assertThat(answer.response().headers().firstValue("Content-Type"))
        .hasValue("text/event-stream; charset=utf-8");
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
        "'stream_options':{'include_usage':true} | stream_options",
        "'stream':true,'stream_options':{'include_usage':1} | stream_options.include_usage",
        "'max_tokens':5,'max_completion_tokens':6 | max_tokens",
        "'max_completion_tokens':6,'max_tokens':'5' | max_tokens",
        "'service_tier':'gold'         | service_tier",
        "'store':'yes'                 | store",
        "'user':5                      | user",
        "'verbosity':'chatty'          | verbosity",
        "'metadata':{'a':1}            | metadata.a",
        "'metadata':[]                 | metadata",
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
        "{'messages':[{'role':'user','content':[]}]}      | messages[0].content",
        "{'messages':[{'role':'user','content':[{'text':'a'}]}]} | messages[0].content[0].type",
        "{'messages':[{'role':'user','content':'a','name':5}]} | messages[0].name",
        "{'messages':[{'role':'tool','tool_call_id':'x','content':'a'}]} | messages[0].tool_call_id",
        "{'messages':[{'role':'assistant','tool_calls':[{'function':{'name':'f','arguments':'{}'}}]}]} | messages[0].tool_calls[0].id",
        "{'messages':[{'role':'assistant','tool_calls':[{'id':'1','type':'custom','function':{'name':'f'}}]}]} | messages[0].tool_calls[0].type",
        "{'messages':[{'role':'assistant','tool_calls':[{'id':'1','function':{'name':'f'}}]},{'role':'user','content':'a'}]} | messages[1]",
        "{'messages':[{'role':'assistant','tool_calls':[{'id':'1','function':{'name':'f'}},{'id':'2','function':{'name':'f'}}]},{'role':'tool','tool_call_id':'1','content':'a'}]} | messages",
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
                .headers(
                    "Origin", "https://page.example",
                    "Access-Control-Request-Method", "POST",
                    "Access-Control-Request-Headers", "authorization, x-vendor-new")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
    assertThat(asked.status()).isEqualTo(204);
    assertThat(asked.response().headers().firstValue("Access-Control-Allow-Headers"))
        .hasValueSatisfying(
            headers -> assertThat(headers).isEqualTo("authorization, x-vendor-new"));
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
