package weft.serve.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page before a server whose replies a test writes: word by word, slowly, wrongly, never. */
final class ScriptedServer implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String MODELS =
      """
      {"object": "list", "data": [
        {"id": "plain", "object": "model", "context_length": 2048},
        {"id": "seeing", "object": "model", "context_length": 4096, "input_modalities": ["text", "image"]}]}
      """;

  /** What the server does with one request. */
  @FunctionalInterface
  interface Script {
    void play(Reply reply) throws IOException, InterruptedException;
  }

  private final Assets assets = new Assets();
  private final Queue<Script> scripts = new ConcurrentLinkedQueue<>();
  private final List<JsonNode> asked = new CopyOnWriteArrayList<>();
  private volatile String key = "";
  private HttpServer server;

  ScriptedServer() {
    server = listen(0);
  }

  private HttpServer listen(int port) {
    try {
      var listening =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      listening.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      listening.createContext("/", this::answer);
      listening.start();
      return listening;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** The next request is answered so; without a script, with "Reply to" and the question. */
  ScriptedServer then(Script script) {
    scripts.add(script);
    return this;
  }

  ScriptedServer then(String text) {
    return then(reply -> reply.say(text).end());
  }

  /** From now on only who has the key is answered. */
  ScriptedServer locked(String with) {
    key = with;
    return this;
  }

  /** The bodies of all requests for replies, as they came. */
  List<JsonNode> asked() {
    return asked;
  }

  void goAway() {
    server.stop(0);
  }

  void comeBack() {
    server = listen(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      var isOpen =
          key.isEmpty()
              || ("Bearer " + key).equals(exchange.getRequestHeaders().getFirst("Authorization"));
      if (path.equals("/health")) send(exchange, 200, "application/json", "{}".getBytes());
      else if (!path.startsWith("/v1/")) file(exchange, path);
      else if (!isOpen) refuse(exchange, 401, "invalid_api_key", "no key");
      else if (path.equals("/v1/models"))
        send(exchange, 200, "application/json", MODELS.getBytes());
      else reply(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void file(HttpExchange exchange, String path) throws IOException {
    var name = path.equals("/") ? Assets.START : path.replaceFirst("^/page/", "");
    var asset = assets.find(name);
    if (asset.isEmpty()) {
      send(exchange, 404, "text/plain", new byte[0]);
      return;
    }
    Page.HEADERS.forEach(exchange.getResponseHeaders()::set);
    send(exchange, 200, asset.get().type(), asset.get().bytes());
  }

  private void reply(HttpExchange exchange) throws IOException, InterruptedException {
    var request = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
    asked.add(request);
    var script = scripts.poll();
    var reply = new Reply(exchange);
    if (script != null) script.play(reply);
    else reply.say("Reply to " + question(request)).end();
  }

  private static String question(JsonNode request) {
    var messages = request.get("messages");
    return messages.get(messages.size() - 1).get("content").asString();
  }

  private static void refuse(HttpExchange exchange, int status, String code, String message)
      throws IOException {
    var body = MAPPER.createObjectNode();
    body.putObject("error").put("message", message).put("code", code);
    send(exchange, status, "application/json", MAPPER.writeValueAsBytes(body));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] bytes)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** A reply as it is written. */
  static final class Reply {
    private final HttpExchange exchange;
    private int tokens;

    private Reply(HttpExchange exchange) {
      this.exchange = exchange;
    }

    Reply say(String text) throws IOException {
      return delta("content", text);
    }

    Reply think(String text) throws IOException {
      return delta("reasoning_content", text);
    }

    /** A piece of a call; only its first has a name. */
    Reply call(int index, String name, String arguments) throws IOException {
      tokens++;
      var event = MAPPER.createObjectNode();
      var delta = event.putArray("choices").addObject().putObject("delta");
      var called =
          delta.putArray("tool_calls").addObject().put("index", index).putObject("function");
      if (!name.isEmpty()) called.put("name", name);
      called.put("arguments", arguments);
      return write("data: " + MAPPER.writeValueAsString(event) + "\n\n");
    }

    private Reply delta(String field, String text) throws IOException {
      tokens++;
      var event = MAPPER.createObjectNode();
      event.putArray("choices").addObject().putObject("delta").put(field, text);
      return write("data: " + MAPPER.writeValueAsString(event) + "\n\n");
    }

    void end() throws IOException {
      end("stop");
    }

    void end(String finish) throws IOException {
      var last = MAPPER.createObjectNode();
      last.putArray("choices").addObject().put("finish_reason", finish).putObject("delta");
      var usage = MAPPER.createObjectNode();
      usage.putArray("choices");
      usage.putObject("usage").put("prompt_tokens", 100).put("completion_tokens", tokens);
      write("data: " + MAPPER.writeValueAsString(last) + "\n\n");
      write("data: " + MAPPER.writeValueAsString(usage) + "\n\n");
      write("data: [DONE]\n\n");
    }

    /** Writes bytes of an event stream as they are. */
    Reply write(String text) throws IOException {
      if (exchange.getResponseCode() < 0) {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
      }
      exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      return this;
    }

    void refuse(int status, String code, String message) throws IOException {
      exchange.getResponseHeaders().set("Retry-After", "7");
      ScriptedServer.refuse(exchange, status, code, message);
    }

    /** Goes on until the reader hangs up. */
    void untilTheyLeave() throws InterruptedException {
      try {
        while (true) {
          write(": still here\n\n");
          Thread.sleep(20);
        }
      } catch (IOException e) {
        // They have left.
      }
    }
  }
}
