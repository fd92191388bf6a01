package weft.serve;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;
import java.net.InetSocketAddress;
import java.util.List;
import weft.serve.anthropic.Anthropic;
import weft.serve.ask.Answering;
import weft.serve.metrics.Meters;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;
import weft.serve.openai.OpenAi;
import weft.serve.page.Page;
import weft.serve.web.Dialect;
import weft.serve.web.Patience;

/**
 * A running server, and the models that it was given; who starts it closes it. Safe for all
 * threads.
 */
public final class Server implements AutoCloseable {
  private static final int LONGEST_HEADERS = 64 << 10;
  private static final int LONGEST_PROLOGUE = 8 << 10;

  private final Shelf shelf;
  private final Meters meters;
  private final Patience patience;
  private final Reception reception;
  private final WebServer web;
  private final ServerOptions options;

  private Server(Shelf shelf, ServerOptions options) {
    this.shelf = shelf;
    this.options = options;
    this.meters = new Meters();
    this.patience = new Patience(options.silence(), options.stall());
    var answering = new Answering(shelf, meters);
    List<Dialect> dialects = List.of(new Page(), new Anthropic(answering), new OpenAi(answering));
    this.reception = new Reception(dialects, options, meters, patience);
    this.web =
        WebServer.builder()
            .bindAddress(new InetSocketAddress(options.host(), options.port()))
            .shutdownHook(false)
            .addProtocol(
                Http1Config.builder()
                    .maxHeadersSize(LONGEST_HEADERS)
                    .maxPrologueLength(LONGEST_PROLOGUE)
                    .build())
            .connectionOptions(socket -> socket.readTimeout(options.silence()))
            .routing(routing -> routing.any(reception::receive))
            .build();
  }

  /**
   * Starts to listen; the models are the server's from now on.
   *
   * @throws ServeException where it cannot listen
   */
  public static Server start(Shelf shelf, ServerOptions options) {
    var server = new Server(shelf, options);
    try {
      server.web.start();
    } catch (RuntimeException e) {
      server.close();
      throw new ServeException(
          "cannot listen at %s:%d; is another program there?"
              .formatted(options.host(), options.port()),
          e);
    }
    return server;
  }

  /** The port that it listens at. */
  public int port() {
    return web.port();
  }

  /** Ends what is being answered and gives back all there is. */
  @Override
  public void close() {
    reception.leave(options.grace());
    shelf.close();
    web.stop();
    patience.close();
    meters.close();
  }
}
