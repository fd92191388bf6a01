package weft.serve.web;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/**
 * An answer that comes piece by piece, each of which is on its way when its method returns. A
 * client that is gone, or reads nothing for too long, is an exception. For one thread; who opens it
 * closes it.
 */
public final class EventStream implements AutoCloseable {
  private final OutputStream out;
  private final Connection connection;
  private final Patience patience;

  EventStream(OutputStream out, Connection connection, Patience patience) {
    this.out = out;
    this.connection = connection;
    this.patience = patience;
  }

  /** An event without a name. */
  public void data(JsonNode document) {
    write("data: " + Json.text(document) + "\n\n");
  }

  /** An event without a name, whose data is no JSON. */
  public void data(String text) {
    write("data: " + text + "\n\n");
  }

  /** An event with a name. */
  public void event(String name, JsonNode document) {
    write("event: " + name + "\ndata: " + Json.text(document) + "\n\n");
  }

  /** What no client reads: shows that the server lives, and that the client does. */
  public void comment() {
    write(": waiting\n\n");
  }

  /** A document on a line of its own. */
  public void line(JsonNode document) {
    write(Json.text(document) + "\n");
  }

  private void write(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    patience.writing(
        connection,
        bytes.length,
        () -> {
          out.write(bytes);
          out.flush();
          return bytes;
        });
  }

  @Override
  public void close() {
    patience.writing(
        connection,
        0,
        () -> {
          out.close();
          return out;
        });
  }
}
