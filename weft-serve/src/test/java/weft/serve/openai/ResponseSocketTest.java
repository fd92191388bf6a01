package weft.serve.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.serve.Running;

class ResponseSocketTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<String> TERMINAL =
      List.of("response.completed", "response.incomplete", "response.failed", "error");

  private static final String PING = "8982" + "00000000" + "6869";

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start(options -> options.withLargestBody(20_000));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  /** A client that reads events; closing it ends its socket. */
  private static final class Caller implements WebSocket.Listener, AutoCloseable {
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    Caller(Running server, String... headers) {
      var builder = HttpClient.newHttpClient().newWebSocketBuilder();
      if (headers.length > 0) builder.header(headers[0], headers[1]);
      var uri = URI.create("ws://127.0.0.1:" + server.server().port() + "/v1/responses");
      this.socket = builder.buildAsync(uri, this).join();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
      text.append(part);
      if (isLast) {
        events.add(MAPPER.readTree(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(part);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      end.complete(code);
      return CompletableFuture.completedStage(reason);
    }

    @Override
    public void onError(WebSocket from, Throwable e) {
      end.completeExceptionally(e);
    }

    /** The events of a turn, up to the one that ends it. */
    List<JsonNode> turn(String message) throws InterruptedException {
      socket.sendText(message, true).join();
      var turn = new ArrayList<JsonNode>();
      do {
        var event = events.poll(20, TimeUnit.SECONDS);
        if (event == null) throw new AssertionError("no more events behind " + turn);
        turn.add(event);
      } while (!TERMINAL.contains(type(turn.getLast())));
      return turn;
    }

    @Override
    public void close() {
      socket.abort();
    }
  }

  private static String type(JsonNode event) {
    return event.get("type").stringValue();
  }

  private static String create(String fields) {
    return "{\"type\":\"response.create\",\"max_output_tokens\":16,\"temperature\":0,"
        + fields
        + "}";
  }

  private static String idOf(List<JsonNode> turn) {
    return turn.getLast().at("/response/id").stringValue();
  }

  private static String textOf(List<JsonNode> turn) {
    return turn.getLast().at("/response/output/0/content/0/text").stringValue();
  }

  @Test
  void aMessageIsAnsweredByTheEventsOfAStreamAndTheNextOneToo() throws Exception {
    try (var caller = new Caller(running)) {
      for (var question : List.of("What is 12 + 30?", "Who are you?")) {
        var body = "\"store\":false,\"input\":\"" + question + "\"";
        var turn = caller.turn(create(body));
        var streamed =
            running
                .post(
                    "/v1/responses",
                    create("\"stream\":true," + body).replace("\"type\":\"response.create\",", ""))
                .events();
        assertThat(turn.stream().map(ResponseSocketTest::type))
            .isEqualTo(streamed.stream().map(ResponseSocketTest::type).toList());
        assertThat(textOf(turn)).isEqualTo(textOf(streamed)).isNotEmpty();
        assertThat(turn.getLast().at("/response/store").booleanValue()).isFalse();
      }
    }
  }

  @Test
  void whatIsNotStoredIsKnownToItsSocketAlone() throws Exception {
    try (var caller = new Caller(running);
        var other = new Caller(running)) {
      var first = idOf(caller.turn(create("\"store\":false,\"input\":\"Hi\"")));
      var next =
          create("\"store\":false,\"input\":\"Who are you?\",\"previous_response_id\":\"%s\"");
      var refused = other.turn(next.formatted(first)).getLast();
      assertThat(refused.get("status").intValue()).isEqualTo(400);
      assertThat(refused.at("/error/code").stringValue()).isEqualTo("previous_response_not_found");
      var second = caller.turn(next.formatted(first));
      assertThat(textOf(second)).isNotEmpty();
      var alone = caller.turn(create("\"store\":false,\"input\":\"Who are you?\""));
      assertThat(inputOf(second)).isGreaterThan(inputOf(alone) + 16);
      // The socket that was refused goes on.
      assertThat(other.turn(create("\"input\":\"Hi\""))).hasSizeGreaterThan(3);
    }
  }

  private static int inputOf(List<JsonNode> turn) {
    return turn.getLast().at("/response/usage/input_tokens").intValue();
  }

  /** Asks for more than the context holds, whatever the model would say. */
  private static final String LONG =
      """
      {"type":"response.create","input":"Hi","text":{"format":{"type":"json_schema","name":"x",
       "schema":{"type":"array","minItems":4000,"items":{"type":"boolean"}}}}}""";

  /** With a ping before it, too. */
  @ParameterizedTest
  @ValueSource(strings = {"8880" + "00000000", PING + "8880" + "00000000"})
  void whoLeavesEndsItsAnswer(String frames) throws IOException {
    try (var raw = raw(running)) {
      raw.getOutputStream().write(masked(0x81, LONG));
      assertThat(text(frame(raw.getInputStream()))).contains("response.created");
      raw.getOutputStream().write(HexFormat.of().parseHex(frames));
      var rest = text(raw.getInputStream().readAllBytes());
      assertThat(rest).doesNotContain("response.completed").doesNotContain("response.incomplete");
    }
  }

  /** Clients hang up on a server that leaves their pings without an answer for some seconds. */
  @Test
  void aPingIsAnsweredWhileAnAnswerIsMade() throws IOException {
    try (var raw = raw(running)) {
      raw.getOutputStream().write(masked(0x81, LONG));
      assertThat(text(frame(raw.getInputStream()))).contains("response.created");
      raw.getOutputStream().write(masked(0x89, "hi"));
      byte[] frame;
      do {
        frame = frame(raw.getInputStream());
        assertThat(text(frame)).doesNotContain("response.incomplete");
      } while (frame[0] != (byte) 0x8A);
      assertThat(frame).isEqualTo(HexFormat.of().parseHex("8a026869"));
    }
  }

  /** Wherever the next message is cut, no part of it is taken for a leave. */
  @Test
  void aMessageThatComesWhileAnotherIsAnsweredWaits() throws Exception {
    try (var raw = raw(running)) {
      var next = masked(0x81, " \u0208" + "x".repeat(200));
      int leave = 9;
      assertThat(next[leave + 1]).isEqualTo((byte) 0x88);
      var first = masked(0x81, LONG);
      var joined = Arrays.copyOf(first, first.length + leave + 1);
      System.arraycopy(next, 0, joined, first.length, leave + 1);
      raw.getOutputStream().write(joined);
      assertThat(text(frame(raw.getInputStream()))).contains("response.created");
      raw.getOutputStream().write(next, leave + 1, next.length - leave - 1);
      String event;
      do {
        event = text(frame(raw.getInputStream()));
      } while (!event.contains("\"response.incomplete\""));
      assertThat(text(frame(raw.getInputStream()))).contains("is no JSON");
    }
  }

  private static String text(byte[] frame) {
    return new String(frame, StandardCharsets.UTF_8);
  }

  /** A frame with a mask of zeros. */
  private static byte[] masked(int first, String content) {
    var bytes = content.getBytes(StandardCharsets.UTF_8);
    var frame = ByteBuffer.allocate(8 + bytes.length).put((byte) first).put((byte) (0x80 | 126));
    if (bytes.length <= 125) frame.put(1, (byte) (0x80 | bytes.length));
    else frame.putShort((short) bytes.length);
    frame.putInt(0).put(bytes);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  @Test
  void whatIsStoredIsKnownToAll() throws Exception {
    try (var caller = new Caller(running)) {
      var id = idOf(caller.turn(create("\"input\":\"Hi\"")));
      assertThat(running.get("/v1/responses/" + id).status()).isEqualTo(200);
    }
  }

  @Test
  void whatWasGoneOnFromInVainIsForgotten() throws Exception {
    try (var caller = new Caller(running)) {
      var first = idOf(caller.turn(create("\"store\":false,\"input\":\"Hi\"")));
      var more = "\"store\":false,\"previous_response_id\":\"%s\",\"input\":".formatted(first);
      var failed =
          caller.turn(
              create(
                  more
                      + "[{\"type\":\"function_call_output\",\"call_id\":\"x\",\"output\":\"y\"}]"));
      assertThat(failed.getLast().at("/error/param").stringValue()).contains("call_id");
      assertThat(caller.turn(create(more + "\"Hi\"")).getLast().at("/error/code").stringValue())
          .isEqualTo("previous_response_not_found");
    }
  }

  @Test
  void aPromptMayBeMadeKnownWithoutAnAnswer() throws Exception {
    try (var caller = new Caller(running)) {
      var warm =
          caller.turn(create("\"store\":false,\"generate\":false,\"input\":\"Who are you?\""));
      assertThat(warm.getLast().at("/response/output").size()).isZero();
      assertThat(warm.getLast().at("/response/usage/output_tokens").intValue()).isZero();
      var more =
          caller.turn(create("\"store\":false,\"previous_response_id\":\"" + idOf(warm) + "\""));
      assertThat(textOf(more)).contains("Weft");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"response.create\",\"input\":\"Hi\",\"temperature\":9} | 400 | temperature",
        "{\"type\":\"session.update\"} | 400 | type",
        "{\"type\":\"response.create\",\"input\":\"Hi\",\"model\":\"none\"} | 404 | model",
        "[1] | 400 | ''",
        "{ | 400 | ''",
      })
  void whatIsWrongIsSaidAndTheSocketGoesOn(String message, int status, String field)
      throws Exception {
    try (var caller = new Caller(running)) {
      var refused = caller.turn(message).getLast();
      assertThat(type(refused)).isEqualTo("error");
      assertThat(refused.get("status").intValue()).isEqualTo(status);
      assertThat(refused.at("/error/param").asString("")).isEqualTo(field);
      assertThat(refused.at("/error/message").stringValue()).isNotBlank();
      assertThat(caller.turn(create("\"input\":\"Hi\""))).hasSizeGreaterThan(3);
    }
  }

  @Test
  void keysAndOriginsAreAskedForBeforeThereIsASocket() throws Exception {
    try (var locked = Running.start(options -> options.withKeys(List.of("sesame")))) {
      assertThatThrownBy(() -> new Caller(locked))
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              e -> assertThat(e.getResponse().statusCode()).isEqualTo(401));
      try (var caller = new Caller(locked, "Authorization", "Bearer sesame")) {
        assertThat(caller.turn(create("\"input\":\"Hi\""))).hasSizeGreaterThan(3);
      }
    }
    assertThatThrownBy(() -> new Caller(running, "Origin", "https://somewhere.example"))
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            e -> assertThat(e.getResponse().statusCode()).isEqualTo(403));
  }

  @Test
  void aServerThatLeavesWaitsForNoSocketThatRests() throws Exception {
    var server = Running.start();
    try (var caller = new Caller(server)) {
      assertThat(caller.turn(create("\"input\":\"Hi\""))).hasSizeGreaterThan(3);
      long start = System.nanoTime();
      server.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
  }

  /** Frames as bytes, and the code that the socket ends with. */
  static Stream<Arguments> brokenFrames() {
    return Stream.of(
        Arguments.of("no mask", "8102" + "6869", 1002),
        Arguments.of("reserved bits", "c182" + "00000000" + "6869", 1002),
        Arguments.of("more of nothing", "8082" + "00000000" + "6869", 1002),
        Arguments.of(
            "a begun message begins again",
            "0182" + "00000000" + "6869" + "0182" + "00000000" + "6869",
            1002),
        Arguments.of("a ping in parts", "0982" + "00000000" + "6869", 1002),
        Arguments.of("a long ping", "89fe0080" + "00000000", 1002),
        Arguments.of("what nobody knows", "8382" + "00000000" + "6869", 1002),
        Arguments.of("bytes", "8282" + "00000000" + "6869", 1003),
        Arguments.of("too long", "81fe7fff" + "00000000", 1009),
        Arguments.of("far too long", "81ff7fffffffffffffff" + "00000000", 1009),
        Arguments.of("longer than numbers", "81ffffffffffffffffff" + "00000000", 1009),
        Arguments.of("no text", "8182" + "00000000" + "22ff", 1007),
        Arguments.of("half a surrogate", "8183" + "00000000" + "eda080", 1007),
        Arguments.of(
            "a character that ends with its frame",
            "0182" + "00000000" + "22c3" + "8081" + "00000000" + "22",
            1007),
        Arguments.of("leave", "8882" + "00000000" + "03e8", 1000));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenFrames")
  void whatIsAgainstTheProtocolEndsTheSocket(String name, String frames, int code)
      throws IOException {
    try (var raw = raw(running)) {
      raw.getOutputStream().write(HexFormat.of().parseHex(frames));
      assertThat(frame(raw.getInputStream()))
          .isEqualTo(
              ByteBuffer.allocate(4).put((byte) 0x88).put((byte) 2).putShort((short) code).array());
      assertThat(raw.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aPingIsAnsweredWithinAMessageToo() throws IOException {
    try (var raw = raw(running)) {
      raw.getOutputStream()
          .write(
              HexFormat.of().parseHex("0181" + "01020304" + "7a" + "8982" + "00000000" + "6869"));
      assertThat(frame(raw.getInputStream())).isEqualTo(HexFormat.of().parseHex("8a026869"));
      // The message is one character that is no JSON.
      raw.getOutputStream().write(HexFormat.of().parseHex("8080" + "00000000"));
      assertThat(text(frame(raw.getInputStream()))).contains("is no JSON");
    }
  }

  /** A ping is none of the message's bytes. */
  @Test
  void aPingFitsBesideTheLongestMessage() throws IOException {
    try (var raw = raw(running)) {
      raw.getOutputStream().write(masked(0x01, "x".repeat(20_000)));
      raw.getOutputStream().write(masked(0x89, "hi"));
      assertThat(frame(raw.getInputStream())).isEqualTo(HexFormat.of().parseHex("8a026869"));
      raw.getOutputStream().write(masked(0x80, ""));
      assertThat(text(frame(raw.getInputStream()))).contains("is no JSON");
    }
  }

  /** What a ping takes to be answered is no time that a message has for itself. */
  @ParameterizedTest
  @ValueSource(strings = {"81", "0181" + "00000000" + "22", "0181" + "00000000" + "22" + PING})
  void whoBeginsAMessageAndDoesNotEndItIsHungUpOn(String begun) throws IOException {
    try (var server = Running.start(options -> options.withSilence(Duration.ofMillis(500)));
        var raw = raw(server)) {
      raw.getOutputStream().write(HexFormat.of().parseHex(begun));
      // The server's clock, not the client's: it would wait for ten seconds.
      raw.getInputStream().readAllBytes();
    }
  }

  @Test
  void whoPingsMayRestAfterwards() throws Exception {
    try (var server = Running.start(options -> options.withSilence(Duration.ofMillis(500)));
        var raw = raw(server)) {
      for (int i = 0; i < 2; i++) {
        raw.getOutputStream().write(HexFormat.of().parseHex(PING));
        assertThat(frame(raw.getInputStream())).isEqualTo(HexFormat.of().parseHex("8a026869"));
        Thread.sleep(2500);
      }
      raw.getOutputStream().write(masked(0x81, "x"));
      assertThat(text(frame(raw.getInputStream()))).contains("is no JSON");
    }
  }

  /** A socket whose frames are written by hand. */
  private static Socket raw(Running server) throws IOException {
    var raw = new Socket("127.0.0.1", server.server().port());
    raw.setSoTimeout(10_000);
    var key = "dGhlIHNhbXBsZSBub25jZQ==";
    var head =
        "GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: "
            + key
            + "\r\nSec-WebSocket-Version: 13\r\n\r\n";
    raw.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    var answer = new StringBuilder();
    while (!answer.toString().endsWith("\r\n\r\n"))
      answer.append((char) raw.getInputStream().read());
    // The key and its answer are the protocol's own example.
    assertThat(answer)
        .startsWith("HTTP/1.1 101 ")
        .containsIgnoringCase("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    return raw;
  }

  /** A frame of less than 64 KiB. */
  private static byte[] frame(InputStream in) throws IOException {
    var head = in.readNBytes(2);
    int length = head[1];
    if (length == 126) length = ByteBuffer.wrap(in.readNBytes(2)).getShort() & 0xFFFF;
    var content = in.readNBytes(length);
    return ByteBuffer.allocate(2 + content.length).put(head).put(content).array();
  }
}
