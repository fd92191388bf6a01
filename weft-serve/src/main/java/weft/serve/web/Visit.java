package weft.serve.web;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import weft.serve.ask.Client;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/** One request and its answer. For the thread that it came on. */
public final class Visit implements Client {
  private static final int CHUNK = 8192;

  /** Bytes that are read and thrown away for the sake of the connection. */
  private static final int READ_ANYWAY = 64 << 10;

  /** How often a client that waits is looked for. */
  private static final Duration LOOK = Duration.ofMillis(250);

  private final ServerRequest request;
  private final ServerResponse response;
  private final Connection connection;
  private final Map<String, String> parameters;
  private final Patience patience;
  private final String id = "req_" + UUID.randomUUID().toString().replace("-", "");
  private final long largestBody;
  private final Reading reading;
  private String isolation = "";
  private long lastLook = System.nanoTime();
  private boolean isRead;
  private Optional<Socket> socket = Optional.empty();
  private int status;
  private Optional<Throwable> failure = Optional.empty();

  public Visit(
      ServerRequest request,
      ServerResponse response,
      Connection connection,
      Map<String, String> parameters,
      Patience patience,
      long largestBody,
      Reading reading) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.parameters = Map.copyOf(parameters);
    this.patience = patience;
    this.largestBody = largestBody;
    this.reading = reading;
  }

  /** By which the request is known, to its client too. */
  public String id() {
    return id;
  }

  @Override
  public String isolation() {
    return isolation;
  }

  /** Says whose visit it is. */
  public void isolate(String key) {
    isolation = key;
  }

  /** For those who wait for a whole answer: who streams is told by its writes. */
  @Override
  public void requireThere() {
    long now = System.nanoTime();
    if (now - lastLook <= LOOK.toNanos()) return;
    lastLook = now;
    if (!connection.isOpen() || socket.filter(Socket::isLeft).isPresent()) {
      throw new UncheckedIOException(new IOException("the client is gone"));
    }
  }

  /** What went wrong after the answer had begun; for the server's log. */
  public void remember(Throwable e) {
    failure = Optional.of(e);
  }

  /** What was remembered. */
  public Optional<Throwable> failure() {
    return failure;
  }

  /** What a part of the path in braces stands for. */
  public String parameter(String name) {
    return parameters.get(name);
  }

  /** The first value of a header. */
  public Optional<String> header(String name) {
    return request.headers().first(HeaderNames.create(name));
  }

  /** The fields of the body, which is a JSON object within the limit. */
  public Fields fields() {
    return Fields.of(Json.read(body()), reading);
  }

  /** A value of the query. */
  public Optional<String> query(String name) {
    return request.query().first(name).asOptional();
  }

  /** Values of the query as the fields of a body: texts, and whole numbers. */
  public Fields queried(List<String> texts, List<String> wholes) {
    var given = Json.object();
    for (var name : texts) query(name).ifPresent(text -> given.put(name, text));
    for (var name : wholes) {
      query(name)
          .ifPresent(
              text -> {
                if (text.matches("-?[0-9]{1,18}")) given.put(name, Long.parseLong(text));
                else given.put(name, text);
              });
    }
    return Fields.of(given);
  }

  /** Hangs up after the answer where much of the request was not read: nobody waits for it. */
  public void leaveUnread() {
    boolean isLong =
        request.headers().contentLength().orElse(0) > READ_ANYWAY
            || request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    if (!isRead && isLong) response.header(HeaderValues.CONNECTION_CLOSE);
  }

  private byte[] body() {
    isRead = true;
    long declared = request.headers().contentLength().orElse(0);
    if (declared > largestBody) throw tooLarge();
    try (var content = request.content().inputStream()) {
      var body = patience.reading(connection, () -> read(content));
      return Unpacked.of(body, header("Content-Encoding").orElse(""), largestBody);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] read(InputStream content) throws IOException {
    var all = new ByteArrayOutputStream();
    var chunk = new byte[CHUNK];
    for (int count; (count = content.read(chunk)) >= 0; ) {
      all.write(chunk, 0, count);
      if (all.size() > largestBody) throw tooLarge();
    }
    return all.toByteArray();
  }

  private ProblemException tooLarge() {
    // What was not read cannot be told from the next request.
    response.header(HeaderValues.CONNECTION_CLOSE);
    return new ProblemException(new Problem.TooLarge(largestBody));
  }

  /** A header of the answer. */
  public Visit withHeader(String name, String value) {
    response.header(HeaderNames.create(name), value);
    return this;
  }

  /** Whether the client asks nothing more over its connection. */
  public boolean isLast() {
    return request.headers().values(HeaderNames.CONNECTION).stream()
        .flatMap(value -> Stream.of(value.split(",")))
        .anyMatch(token -> token.strip().equalsIgnoreCase("close"));
  }

  /** When to try again. */
  public Visit withRetryAfter(Duration time) {
    return withHeader("Retry-After", Long.toString(Problem.seconds(time)));
  }

  /** Where the client is, as far as the network says. */
  public String peer() {
    return request.remotePeer().host();
  }

  /** Answers with a document. */
  public void send(int code, JsonNode document) {
    send(code, "application/json", Json.bytes(document));
  }

  /** Answers with a text. */
  public void send(int code, String type, String text) {
    send(code, type, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Answers with bytes. */
  public void send(int code, String type, byte[] bytes) {
    status = code;
    response.status(code);
    response.header(HeaderNames.CONTENT_TYPE, type);
    patience.writing(
        connection,
        bytes.length,
        () -> {
          if (isHead()) sendHead(bytes.length);
          else response.send(bytes);
          return bytes;
        });
  }

  private boolean isHead() {
    return request.prologue().method().equals(Method.HEAD);
  }

  /** What a body would be like, without one: the next answer would be taken for it. */
  private void sendHead(int length) {
    response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(length));
    response.send();
  }

  /** Answers piece by piece, as server-sent events. */
  public EventStream events() {
    return new EventStream(stream("text/event-stream; charset=utf-8"), connection, patience);
  }

  /** Answers piece by piece, a line each. */
  public EventStream lines() {
    return new EventStream(stream("application/x-ndjson"), connection, patience);
  }

  /** Whether it asks for a WebSocket. */
  public boolean wantsSocket() {
    return header(Talks.KEY).isPresent();
  }

  /** Becomes a WebSocket, if it asks for one as it should; nothing else is answered then. */
  public Socket socket() {
    require("Upgrade", "websocket");
    require("Sec-WebSocket-Version", "13");
    var key = header(Talks.KEY).orElse("");
    var head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\n");
    withHeader("Upgrade", "websocket").withHeader("Connection", "Upgrade");
    withHeader("Sec-WebSocket-Accept", Socket.accept(key));
    for (var header : response.headers()) {
      for (var value : header.allValues()) {
        head.append(header.name()).append(": ").append(value).append("\r\n");
      }
    }
    head.append("\r\n");
    status = 101;
    patience.writing(
        connection,
        head.length(),
        () -> {
          connection.write(head.toString());
          return head;
        });
    var opened = connection.socket(patience, largestBody);
    socket = Optional.of(opened);
    return opened;
  }

  private void require(String name, String value) {
    var met = header(name).orElse("none");
    if (!met.equalsIgnoreCase(value)) throw Fields.bad(name, Fields.quoted(met), value);
  }

  private OutputStream stream(String type) {
    status = 200;
    response.status(200);
    response.header(HeaderNames.CONTENT_TYPE, type);
    response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    response.header(HeaderNames.create("X-Accel-Buffering"), "no");
    return response.outputStream();
  }

  /** Whether the answer has begun, so that nothing else can be said. */
  public boolean isAnswered() {
    return status != 0;
  }

  /** The status of the answer; 0 before there is one. */
  public int status() {
    return status;
  }
}
