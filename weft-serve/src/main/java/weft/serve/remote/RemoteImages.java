package weft.serve.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import weft.serve.ask.Images;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.ask.Remote;

/**
 * Fetches images over HTTP. A name is resolved once, the address that came of it is looked at, and
 * that very address is connected to, so no second answer of a name server counts; each redirect
 * goes through the same. Why one cannot be had is not said, for that would tell of the network that
 * the server is in. Safe for all threads.
 */
public final class RemoteImages implements Remote {
  /** Redirects of one image. */
  static final int MOST_REDIRECTS = 3;

  /** Characters of a URL. */
  static final int LONGEST_URL = 4096;

  private static final Duration TIME = Duration.ofSeconds(15);

  /** Gives the addresses of a host. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  private final Resolver resolver;
  private final Predicate<InetAddress> isAllowed;
  private final Duration time;

  RemoteImages(Resolver resolver, Predicate<InetAddress> isAllowed, Duration time) {
    this.resolver = resolver;
    this.isAllowed = isAllowed;
    this.time = time;
  }

  /** From public addresses, each within 15 seconds. */
  public static Remote standard() {
    return new RemoteImages(InetAddress::getAllByName, PublicAddresses::contain, TIME);
  }

  /** What a host answers: an image, or where else it is. */
  private sealed interface Found {
    record Bytes(byte[] file) implements Found {}

    record Elsewhere(URI at) implements Found {}
  }

  @Override
  public byte[] fetch(String path, URI at) {
    var deadline = Deadline.in(time);
    var next = at;
    try {
      for (int i = 0; i <= MOST_REDIRECTS; i++) {
        switch (get(next, deadline)) {
          case Found.Bytes(var file) -> {
            return file;
          }
          case Found.Elsewhere(var other) -> next = other;
        }
      }
    } catch (HttpAnswer.TooLongException e) {
      throw new ProblemException(
          problem(path, "of at most " + Images.LARGEST_IMAGE + " bytes", "one of more"), e);
    } catch (IOException | RuntimeException e) {
      throw new ProblemException(
          problem(path, "at a public address", "one that could not be fetched"), e);
    }
    throw new ProblemException(
        problem(path, "behind at most " + MOST_REDIRECTS + " redirects", "one behind more"));
  }

  private static Problem problem(String path, String allowed, String met) {
    return new Problem.BadField(path, met, "the URL of an image " + allowed);
  }

  private Found get(URI at, Deadline deadline) throws IOException {
    boolean isSecure = isSecure(at);
    if (at.toString().length() > LONGEST_URL || at.getHost() == null || at.getUserInfo() != null) {
      throw new IOException("no URL of a host");
    }
    int port = at.getPort() >= 0 ? at.getPort() : isSecure ? 443 : 80;
    var address = address(at.getHost(), deadline);
    try (var plain = new Socket()) {
      var watch = Thread.ofVirtual().start(() -> deadline.end(plain));
      try {
        plain.connect(new InetSocketAddress(address, port), deadline.milliseconds());
        deadline.on(plain);
        return found(isSecure ? secured(plain, at.getHost(), port) : plain, at, deadline);
      } finally {
        watch.interrupt();
      }
    }
  }

  private static boolean isSecure(URI at) throws IOException {
    return switch (String.valueOf(at.getScheme()).toLowerCase(Locale.ROOT)) {
      case "http" -> false;
      case "https" -> true;
      default -> throw new IOException("neither http nor https");
    };
  }

  /** The first of a host's addresses, if none of them is where nobody may be sent to. */
  private InetAddress address(String host, Deadline deadline) throws IOException {
    var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    var task = new FutureTask<>(() -> resolver.resolve(bare));
    Thread.ofVirtual().start(task);
    try {
      var all = task.get(deadline.milliseconds(), TimeUnit.MILLISECONDS);
      for (var address : all) {
        if (!isAllowed.test(address)) throw new IOException("an address that is not public");
      }
      return all[0];
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no address", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The certificate is the host's, whatever its address is. */
  private static Socket secured(Socket plain, String host, int port) throws IOException {
    var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    var socket = (SSLSocket) factory.createSocket(plain, host, port, true);
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static Found found(Socket socket, URI at, Deadline deadline) throws IOException {
    socket.getOutputStream().write(request(at));
    socket.getOutputStream().flush();
    var answer = new HttpAnswer(socket, deadline);
    return switch (answer.status()) {
      case 200 -> new Found.Bytes(answer.body(Images.LARGEST_IMAGE));
      case 301, 302, 303, 307, 308 -> {
        var other = answer.header("location").map(at::resolve);
        yield new Found.Elsewhere(
            checked(at, other.orElseThrow(() -> new IOException("a redirect to nowhere"))));
      }
      default -> throw new IOException("status " + answer.status());
    };
  }

  private static URI checked(URI from, URI to) throws IOException {
    if (isSecure(from) && !isSecure(to)) throw new IOException("a redirect to where all can read");
    return to;
  }

  private static byte[] request(URI at) {
    var path = Optional.ofNullable(at.getRawPath()).filter(p -> !p.isEmpty()).orElse("/");
    var query = at.getRawQuery() == null ? "" : "?" + at.getRawQuery();
    var host = at.getPort() < 0 ? at.getHost() : at.getHost() + ":" + at.getPort();
    return """
        GET %s%s HTTP/1.1\r
        Host: %s\r
        Accept: image/*\r
        Accept-Encoding: identity\r
        User-Agent: weft\r
        Connection: close\r
        \r
        """
        .formatted(path, query, host)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
