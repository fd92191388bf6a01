package weft.bench.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A way to misbehave. */
record Mischief(String name, Deed deed) {
  /** Does it once on a connection of its own, which may be broken by either side. */
  @FunctionalInterface
  interface Deed {
    void commit(Wire wire, Random random) throws IOException;
  }

  private static final int EVERYTHING = 1 << 20;

  static final List<Mischief> ALL =
      List.of(
          new Mischief("stops reading", Mischief::stopReading),
          new Mischief("leaves while it is answered", Mischief::leave),
          new Mischief("hangs up in the queue", Mischief::hangUp),
          new Mischief("ends in mid-request", Mischief::cut),
          new Mischief("sends noise", Mischief::noise),
          new Mischief("sends a byte at a time", Mischief::drip),
          new Mischief("says half and waits", Mischief::half),
          new Mischief("declares too much", Mischief::declareTooMuch),
          new Mischief("sends too much", Mischief::sendTooMuch),
          new Mischief("has too many headers", Mischief::headers),
          new Mischief("nests deeply", Mischief::nest),
          new Mischief("counts too far", Mischief::numbers),
          new Mischief("takes one type for another", Mischief::types),
          new Mischief("asks nowhere", Mischief::routes),
          new Mischief("sends no text", Mischief::badText),
          new Mischief("does not wait for answers", Mischief::pipeline),
          new Mischief("breaks the framing", Mischief::framing),
          new Mischief("wants forms that cannot be", Mischief::forms),
          new Mischief("edits a request at random", Mischief::edit));

  private static final List<String> PATHS =
      List.of(
          "/v1/chat/completions",
          "/v1/completions",
          "/v1/embeddings",
          "/v1/responses",
          "/v1/messages",
          "/v1/messages/count_tokens",
          "/api/chat",
          "/api/generate",
          "/api/embed",
          "/api/show",
          "/tokenize",
          "/detokenize",
          "/apply-template");

  private static final List<String> FIELDS =
      List.of(
          "model",
          "messages",
          "prompt",
          "input",
          "max_tokens",
          "max_output_tokens",
          "temperature",
          "top_p",
          "top_k",
          "min_p",
          "n",
          "stop",
          "seed",
          "stream",
          "stream_options",
          "logprobs",
          "top_logprobs",
          "logit_bias",
          "tools",
          "tool_choice",
          "response_format",
          "format",
          "options",
          "thinking",
          "system",
          "presence_penalty",
          "frequency_penalty",
          "user",
          "metadata",
          "dimensions",
          "encoding_format",
          "content",
          "tokens",
          "keep_alive",
          "text",
          "previous_response_id",
          "reasoning",
          "chat_template_kwargs",
          "suffix",
          "echo");

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "-1",
          "0",
          "1e999",
          "-0.0",
          "1e-400",
          "9223372036854775808",
          "\"\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "[]",
          "{}",
          "[[]]",
          "[null]",
          "[{}]",
          "{\"\":{}}",
          "[{\"role\":null}]",
          "[{\"role\":\"user\",\"content\":[{\"type\":\"x\"}]}]",
          "\"x\"",
          "[1,2,3]",
          "[-1]",
          "[99999999]",
          "{\"type\":\"json_schema\"}",
          "{\"1\":\"x\"}",
          "{\"type\":\"function\"}",
          "[{\"type\":\"function\",\"function\":{}}]");

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] story(int tokens) {
    return bytes(
        """
        {"messages":[{"role":"user","content":"Tell me a very long story."}],"stream":true,\
        "max_tokens":%d,"ignore_eos":true}"""
            .formatted(tokens));
  }

  private static void stopReading(Wire wire, Random random) throws IOException {
    wire.ask(PATHS.getFirst(), story(400));
    wire.hear(random.nextInt(400));
    wire.rest(random.nextInt(20_000));
  }

  private static void leave(Wire wire, Random random) throws IOException {
    wire.ask(PATHS.getFirst(), story(200));
    wire.hear(random.nextInt(8000));
    if (random.nextBoolean()) wire.hangUp();
  }

  private static void hangUp(Wire wire, Random random) throws IOException {
    wire.ask(PATHS.getFirst(), story(200));
    wire.rest(random.nextInt(30));
    if (random.nextBoolean()) wire.hangUp();
    else wire.endOfSaying();
  }

  private static void cut(Wire wire, Random random) throws IOException {
    var body = story(10);
    var whole = Wire.head(PATHS.getFirst(), body.length) + new String(body, StandardCharsets.UTF_8);
    wire.say(whole.substring(0, random.nextInt(whole.length())));
    if (random.nextBoolean()) wire.hangUp();
    else wire.endOfSaying();
  }

  private static void noise(Wire wire, Random random) throws IOException {
    var noise = new byte[1 + random.nextInt(5000)];
    random.nextBytes(noise);
    // A handshake of TLS, HTTP/2's preface, or anything.
    int kind = random.nextInt(3);
    if (kind == 0)
      System.arraycopy(new byte[] {22, 3, 1, 2, 0, 1}, 0, noise, 0, Math.min(6, noise.length));
    if (kind == 1) wire.say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    wire.say(noise);
    wire.hear(EVERYTHING);
  }

  private static void drip(Wire wire, Random random) throws IOException {
    var body = story(4);
    var whole = Wire.head(PATHS.getFirst(), body.length) + new String(body, StandardCharsets.UTF_8);
    int from = random.nextBoolean() ? 0 : whole.indexOf("\r\n\r\n") + 4;
    wire.say(whole.substring(0, from));
    long end = System.nanoTime() + wire.patience().toNanos();
    for (int i = from; i < whole.length() && System.nanoTime() < end; i++) {
      wire.say(whole.substring(i, i + 1));
      wire.rest(100 + random.nextInt(400));
    }
  }

  private static void half(Wire wire, Random random) throws IOException {
    var body = story(4);
    wire.say(Wire.head(PATHS.getFirst(), body.length));
    wire.say(Arrays.copyOf(body, random.nextInt(body.length)));
    wire.hear(EVERYTHING);
  }

  private static void declareTooMuch(Wire wire, Random random) throws IOException {
    long length = random.nextBoolean() ? 1L << 40 : Long.MAX_VALUE;
    if (random.nextBoolean()) {
      wire.say(
          Wire.head(any(PATHS, random), length).replace("Host:", "Expect: 100-continue\r\nHost:"));
    } else {
      wire.say(Wire.head(any(PATHS, random), length));
    }
    wire.say("{\"messages\":[");
    wire.hear(EVERYTHING);
  }

  private static void sendTooMuch(Wire wire, Random random) throws IOException {
    wire.say(
        "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            .formatted(any(PATHS, random)));
    var chunk = new byte[64 << 10];
    Arrays.fill(chunk, (byte) ' ');
    for (int i = 0; i < 1024; i++) {
      wire.say("10000\r\n");
      wire.say(chunk);
      wire.say("\r\n");
    }
    wire.hear(EVERYTHING);
  }

  private static void headers(Wire wire, Random random) throws IOException {
    wire.say(random.nextBoolean() ? "GET /health HTTP/1.1\r\n" : "GET /" + "x".repeat(100_000));
    for (int i = 0; i < 20_000; i++) wire.say("X-%d: %s\r\n".formatted(i, "y".repeat(i % 100)));
    wire.say("\r\n");
    wire.hear(EVERYTHING);
  }

  private static void nest(Wire wire, Random random) throws IOException {
    int depth = 1 << random.nextInt(6, 18);
    var open = random.nextBoolean() ? "[" : "{\"a\":";
    wire.ask(any(PATHS, random), bytes("{\"" + any(FIELDS, random) + "\":" + open.repeat(depth)));
    wire.hear(EVERYTHING);
  }

  private static void numbers(Wire wire, Random random) throws IOException {
    var digits = "9".repeat(1 << random.nextInt(4, 20));
    var number =
        switch (random.nextInt(4)) {
          case 0 -> digits;
          case 1 -> "-" + digits;
          case 2 -> "1e" + digits;
          default -> "0." + digits;
        };
    wire.ask(any(PATHS, random), bytes(request(any(FIELDS, random), number)));
    wire.hear(EVERYTHING);
  }

  private static void types(Wire wire, Random random) throws IOException {
    wire.ask(any(PATHS, random), bytes(request(any(FIELDS, random), any(VALUES, random))));
    wire.hear(EVERYTHING);
  }

  /** A right request, but for one field. */
  private static String request(String field, String value) {
    return """
        {"messages":[{"role":"user","content":"a"}],"prompt":"a","input":"a","content":"a","tokens":[1],\
        "max_tokens":2,"%s":%s}"""
        .formatted(field, value);
  }

  private static void routes(Wire wire, Random random) throws IOException {
    var methods =
        List.of("GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X");
    var paths =
        List.of(
            "/",
            "/v1",
            "/v1/models/../../etc/passwd",
            "/%00",
            "/%zz",
            "//",
            "*",
            "/v1/models/%ff",
            "http://example.org/",
            "/api/../v1/models",
            "/v1/responses/x",
            "/metrics?%",
            "/\u00ff");
    var path = random.nextBoolean() ? any(paths, random) : any(PATHS, random);
    wire.say(
        "%s %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            .formatted(any(methods, random), path));
    wire.hear(4000);
  }

  private static void badText(Wire wire, Random random) throws IOException {
    var body = story(2);
    for (int i = 0; i < 5; i++)
      body[40 + random.nextInt(20)] = (byte) (0x80 + random.nextInt(0x80));
    wire.ask(PATHS.getFirst(), body);
    wire.hear(EVERYTHING);
  }

  private static void pipeline(Wire wire, Random random) throws IOException {
    var body = story(3);
    var head = Wire.head(PATHS.getFirst(), body.length).replace("Connection: close\r\n", "");
    for (int i = 0; i < 50; i++) {
      wire.say(head);
      wire.say(body);
    }
    wire.hear(random.nextInt(20_000));
  }

  private static void framing(Wire wire, Random random) throws IOException {
    var lies =
        List.of(
            "Content-Length: -1",
            "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length: x",
            "Content-Length: 3\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip",
            "Transfer-Encoding: chunked, chunked",
            "Content-Encoding: gzip\r\nContent-Length: 2",
            "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x",
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x",
            " Folded: a",
            "Bad Header: a",
            "X: a\rb",
            "X\u0000: a");
    wire.say(
        "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n%s\r\n\r\n{}\r\nfffffffffffffffff\r\n0\r\n\r\n"
            .formatted(any(PATHS, random), any(lies, random)));
    wire.hear(4000);
  }

  private static void forms(Wire wire, Random random) throws IOException {
    var schemas =
        List.of(
            "{\"$ref\":\"#\"}",
            "{\"allOf\":[{\"$ref\":\"#\"}]}",
            "{\"$ref\":\"http://a/\"}",
            "false",
            "{\"type\":\"string\",\"pattern\":\"(a*)*b{1000}{1000}\"}",
            "{\"type\":\"array\",\"minItems\":1000000000,\"items\":{}}",
            "{\"enum\":[]}",
            "{\"type\":\"string\",\"minLength\":100000000}",
            "{\"type\":\"integer\",\"multipleOf\":7919,\"minimum\":-1e300}",
            "{\"anyOf\":[" + "{\"$ref\":\"#\"},".repeat(500) + "true]}");
    wire.ask(
        PATHS.getFirst(),
        bytes(
            """
            {"messages":[{"role":"user","content":"a"}],"max_tokens":5,"response_format":\
            {"type":"json_schema","json_schema":{"name":"a","schema":%s}}}"""
                .formatted(any(schemas, random))));
    wire.hear(EVERYTHING);
  }

  private static void edit(Wire wire, Random random) throws IOException {
    var body = story(3);
    var whole =
        bytes(
            Wire.head(any(PATHS, random), body.length) + new String(body, StandardCharsets.UTF_8));
    for (int i = random.nextInt(4); i >= 0; i--) {
      whole[random.nextInt(whole.length)] = (byte) random.nextInt(256);
    }
    wire.say(whole);
    wire.hear(4000);
  }
}
