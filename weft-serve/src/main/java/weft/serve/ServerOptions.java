package weft.serve;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import weft.serve.web.Reading;

/**
 * How a server listens, and whom it lets in. A value, made by {@link #standard} and the {@code
 * with} methods; safe for all threads.
 */
public final class ServerOptions {
  private static final ServerOptions STANDARD = new ServerOptions(new Choices());

  private final Choices chosen;

  private ServerOptions(Choices chosen) {
    this.chosen = chosen;
  }

  /** The options while one of them is changed; nobody sees them but a copy. */
  private static final class Choices {
    private String host = "127.0.0.1";
    private int port = 8080;
    private List<String> keys = List.of();
    private List<String> origins = List.of();
    private long largestBody = 32L << 20;
    private Duration silence = Duration.ofSeconds(60);
    private Duration stall = Duration.ofSeconds(20);
    private Duration grace = Duration.ofSeconds(20);
    private boolean isIsolating;
    private boolean isFetching;
    private Optional<Certificates> certificate = Optional.empty();
    private Consumer<Happening> log = happening -> {};
    private Reading reading = Reading.NOBODY;

    private Choices copy() {
      var copy = new Choices();
      copy.host = host;
      copy.port = port;
      copy.keys = keys;
      copy.origins = origins;
      copy.largestBody = largestBody;
      copy.silence = silence;
      copy.stall = stall;
      copy.grace = grace;
      copy.isIsolating = isIsolating;
      copy.isFetching = isFetching;
      copy.certificate = certificate;
      copy.log = log;
      copy.reading = reading;
      return copy;
    }
  }

  private ServerOptions with(Consumer<Choices> change) {
    var copy = chosen.copy();
    change.accept(copy);
    return new ServerOptions(copy);
  }

  /** Port 8080 of this machine alone, for whoever comes. */
  public static ServerOptions standard() {
    return STANDARD;
  }

  /** The name or address to listen at. */
  public ServerOptions withHost(String host) {
    return with(choices -> choices.host = Objects.requireNonNull(host, "host"));
  }

  /** The port to listen at; 0 for any that is free. */
  public ServerOptions withPort(int port) {
    return with(choices -> choices.port = port);
  }

  /** The keys that open; none lets everybody in. */
  public ServerOptions withKeys(List<String> keys) {
    return with(choices -> choices.keys = List.copyOf(keys));
  }

  /** The origins whose pages may call; {@code *} for all. */
  public ServerOptions withOrigins(List<String> origins) {
    return with(choices -> choices.origins = List.copyOf(origins));
  }

  /** The most bytes of a request's body. */
  public ServerOptions withLargestBody(long bytes) {
    return with(choices -> choices.largestBody = bytes);
  }

  /** How long a request may take to come, and a connection may rest. */
  public ServerOptions withSilence(Duration time) {
    return with(choices -> choices.silence = Objects.requireNonNull(time, "time"));
  }

  /** How long a client may take to read a piece of an answer. */
  public ServerOptions withStall(Duration time) {
    return with(choices -> choices.stall = Objects.requireNonNull(time, "time"));
  }

  /** How long answers may go on while the server shuts down. */
  public ServerOptions withGrace(Duration time) {
    return with(choices -> choices.grace = Objects.requireNonNull(time, "time"));
  }

  /** Shares nothing that timing could tell between those of different keys, or addresses. */
  public ServerOptions isolating() {
    return with(choices -> choices.isIsolating = true);
  }

  /**
   * Fetches the images that clients name by http(s) URLs, from public addresses; else they send
   * images themselves.
   */
  public ServerOptions fetchingImages() {
    return with(choices -> choices.isFetching = true);
  }

  /** Speaks TLS, by a chain of certificates and its key as PEM texts. */
  public ServerOptions withCertificate(String chain, String key) {
    return with(choices -> choices.certificate = Optional.of(new Certificates(chain, key)));
  }

  /** Who hears what happens, from any thread. */
  public ServerOptions withLog(Consumer<Happening> log) {
    return with(choices -> choices.log = Objects.requireNonNull(log, "log"));
  }

  /** Who hears what is read of bodies: the route, a blank and the field's path. */
  ServerOptions withReading(Reading reading) {
    return with(choices -> choices.reading = reading);
  }

  public String host() {
    return chosen.host;
  }

  public int port() {
    return chosen.port;
  }

  public List<String> keys() {
    return chosen.keys;
  }

  public List<String> origins() {
    return chosen.origins;
  }

  public long largestBody() {
    return chosen.largestBody;
  }

  public Duration silence() {
    return chosen.silence;
  }

  public Duration stall() {
    return chosen.stall;
  }

  public Duration grace() {
    return chosen.grace;
  }

  public boolean isIsolating() {
    return chosen.isIsolating;
  }

  public boolean isFetchingImages() {
    return chosen.isFetching;
  }

  Optional<Certificates> certificate() {
    return chosen.certificate;
  }

  Reading reading() {
    return chosen.reading;
  }

  public Consumer<Happening> log() {
    return chosen.log;
  }
}
