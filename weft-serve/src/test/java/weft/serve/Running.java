package weft.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.serve.models.Room;
import weft.serve.models.Shelf;
import weft.serve.models.Source;

/** A server with the built-in model on a port of its own, and a client; closing it ends both. */
public final class Running implements AutoCloseable {
  public static final String MODEL = "weft-tiny";

  private static final JsonMapper MAPPER = new JsonMapper();

  private final Server server;
  private final HttpClient client = HttpClient.newHttpClient();

  private Running(Server server) {
    this.server = server;
  }

  /** What a server answered. */
  public record Answer(int status, String body, HttpResponse<String> response) {
    public JsonNode json() {
      return MAPPER.readTree(body);
    }

    /** The data of server-sent events. */
    public List<String> data() {
      return body.lines()
          .filter(line -> line.startsWith("data: "))
          .map(line -> line.substring("data: ".length()))
          .toList();
    }

    /** The same as JSON, but for the vendor's word at the end. */
    public List<JsonNode> events() {
      return data().stream()
          .filter(data -> !data.equals("[DONE]"))
          .map(MAPPER::readTree)
          .map(JsonNode.class::cast)
          .toList();
    }
  }

  public static Running start() {
    return start(options -> options);
  }

  public static Running start(UnaryOperator<ServerOptions> change) {
    return start(change, shelf(LoadOptions.standard()));
  }

  public static Running start(UnaryOperator<ServerOptions> change, Shelf shelf) {
    var options = ServerOptions.standard().withPort(0).withGrace(Duration.ofSeconds(1));
    return new Running(Server.start(shelf, change.apply(options)));
  }

  /** The built-in model alone. */
  public static Shelf shelf(LoadOptions options) {
    return new Shelf(
        List.of(new Source(MODEL, 1, () -> LanguageModel.builtIn(options))),
        Room.UNBOUNDED,
        Duration.ofSeconds(5));
  }

  public Server server() {
    return server;
  }

  public int port() {
    return server.port();
  }

  public HttpClient client() {
    return client;
  }

  /** A request to a path, to be completed. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(Duration.ofSeconds(60));
  }

  public Answer get(String path) {
    return send(request(path).GET());
  }

  public Answer post(String path, String body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public Answer send(HttpRequest.Builder request) {
    try {
      var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body(), response);
    } catch (IOException e) {
      throw new AssertionError("the server did not answer", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
    client.close();
  }
}
