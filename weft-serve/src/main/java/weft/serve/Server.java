package weft.serve;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import weft.serve.anthropic.Anthropic;
import weft.serve.ask.Answering;
import weft.serve.ask.Remote;
import weft.serve.llama.LlamaCpp;
import weft.serve.metrics.Meters;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;
import weft.serve.ollama.Ollama;
import weft.serve.openai.OpenAi;
import weft.serve.page.Page;
import weft.serve.plain.Plain;
import weft.serve.remote.RemoteImages;
import weft.serve.web.Connections;
import weft.serve.web.Dialect;
import weft.serve.web.Patience;
import weft.serve.web.Route;
import weft.serve.web.UndecodedBodies;

/**
 * A running server, and the models that it was given; who starts it closes it. Safe for all
 * threads.
 */
public final class Server implements AutoCloseable {
  private static final int LONGEST_HEADERS = 64 << 10;
  private static final int LONGEST_PROLOGUE = 8 << 10;
  private static final int MOST_CONNECTIONS = 4096;

  /** How often connections are looked after, and who waits for an answer is told so. */
  private static final Duration ROUND = Duration.ofSeconds(1);

  /** For the last words of answers that were ended. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final Shelf shelf;
  private final Meters meters;
  private final Patience patience;
  private final Reception reception;
  private final WebServer web;
  private final ServerOptions options;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private Server(Shelf shelf, ServerOptions options) {
    this.shelf = shelf;
    this.options = options;
    this.meters = new Meters();
    this.patience = new Patience(options.silence(), options.stall());
    var http =
        Http1Config.builder()
            .maxHeadersSize(LONGEST_HEADERS)
            .maxPrologueLength(LONGEST_PROLOGUE)
            .build();
    var connections = new Connections(http, options.silence());
    var remote = options.isFetchingImages() ? RemoteImages.standard() : Remote.NONE;
    var answering = new Answering(shelf, meters, remote);
    this.reception = new Reception(dialects(answering), options, connections, patience, meters);
    patience.every(ROUND, connections::closeLate);
    patience.every(ROUND, answering::beat);
    var builder =
        WebServer.builder()
            .bindAddress(new InetSocketAddress(options.host(), options.port()))
            .shutdownHook(false)
            .protocolsDiscoverServices(false)
            .featuresDiscoverServices(false)
            .addConnectionSelector(connections)
            .directHandlers(Gatekeeper.handlers())
            .contentEncoding(new UndecodedBodies())
            .maxTcpConnections(MOST_CONNECTIONS)
            .useNio(false) // who reads ahead does so while another writes
            .connectionOptions(connections.options())
            .routing(routing -> routing.any(reception::receive));
    options.certificate().ifPresent(pem -> builder.tls(tls -> tls.sslContext(pem.context())));
    this.web = builder.build();
  }

  /** Every dialect, the one that refuses unknown paths last. */
  private List<Dialect> dialects(Answering answering) {
    return List.of(
        new Page(),
        new Plain(answering, meters, this::isReady, this::routes),
        new Anthropic(answering),
        new Ollama(answering),
        new LlamaCpp(answering),
        new OpenAi(answering));
  }

  private boolean isReady() {
    return reception.isReady();
  }

  private List<Route> routes() {
    return reception.routes();
  }

  /**
   * Starts to listen; the models are the server's from now on.
   *
   * @throws ServeException where it cannot listen
   */
  public static Server start(Shelf shelf, ServerOptions options) {
    var server = new Server(shelf, options);
    server.web.start();
    // Helidon says why in its log, and only there.
    if (!server.web.isRunning()) {
      server.close();
      throw new ServeException(
          "cannot listen at %s:%d; is another program there?"
              .formatted(options.host(), options.port()));
    }
    return server;
  }

  /** The port that it listens at. */
  public int port() {
    return web.port();
  }

  /**
   * Takes no more requests, lets those it has end for the time that the options give, then ends
   * them and gives back all there is; a second time does nothing.
   */
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) return;
    reception.leave(options.grace());
    shelf.close();
    reception.await(FAREWELL);
    web.stop();
    patience.close();
    meters.close();
  }
}
