package weft.bench.serve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A connection on which anything can be said, however wrong; remembers the beginning of what comes
 * back. For one thread; who opens it closes it.
 */
final class Wire implements AutoCloseable {
  private static final int REMEMBERED = 64 << 10;
  private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] (\\d{3})");

  private final Socket socket = new Socket();
  private final Duration patience;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

  /** Opens a connection; nothing done with it takes longer than {@code patience}. */
  Wire(int port, Duration patience) throws IOException {
    this.patience = patience;
    socket.setReceiveBufferSize(4096); // who stops reading is noticed soon
    socket.connect(new InetSocketAddress("127.0.0.1", port), (int) patience.toMillis());
    socket.setSoTimeout((int) patience.toMillis());
  }

  Duration patience() {
    return patience;
  }

  void say(String text) throws IOException {
    say(text.getBytes(StandardCharsets.UTF_8));
  }

  void say(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** A whole request with a body of JSON. */
  void ask(String path, byte[] body) throws IOException {
    say(head(path, body.length));
    say(body);
  }

  static String head(String path, long length) {
    return "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        .formatted(path, length);
  }

  /** Reads what comes, so many bytes at most, until the end or until it takes too long. */
  void hear(int bytes) throws IOException {
    var chunk = new byte[2048];
    long end = System.nanoTime() + patience.toNanos();
    int left = bytes;
    while (left > 0 && System.nanoTime() < end) {
      try {
        int count = socket.getInputStream().read(chunk, 0, Math.min(chunk.length, left));
        if (count < 0) return;
        left -= count;
        if (heard.size() < REMEMBERED) heard.write(chunk, 0, count);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
  }

  /** Says no more, but may hear. */
  void endOfSaying() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends without a goodbye: what is on its way is lost. */
  void hangUp() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  void rest(long millis) {
    try {
      Thread.sleep(Math.min(millis, patience.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was heard, its beginning. */
  String heard() {
    return heard.toString(StandardCharsets.ISO_8859_1);
  }

  /** The status of the first answer, if there was one. */
  OptionalInt status() {
    var matcher = STATUS.matcher(heard());
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
