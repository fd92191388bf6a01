package weft.bench.serve;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * An answer that streams, line by line over a plain socket: on a machine where clients and server
 * share the cores, a client that hands each token from thread to thread slows down what it
 * measures. For one thread; who opens it closes it.
 */
final class Streamed implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final int status;
  private boolean isChunked;
  private long left;
  private boolean isOver;

  /** Sends a request with a body of JSON, and waits for the head of its answer. */
  Streamed(int port, String path, String body) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    try {
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      var request = new ByteArrayOutputStream();
      request.writeBytes(
          """
          POST %s HTTP/1.1\r
          Host: 127.0.0.1:%d\r
          Content-Type: application/json\r
          Connection: close\r
          Content-Length: %d\r
          \r
          """
              .formatted(path, port, bytes.length)
              .getBytes(StandardCharsets.UTF_8));
      request.writeBytes(bytes);
      socket.getOutputStream().write(request.toByteArray());
      status = head();
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private int head() throws IOException {
    var first = raw();
    if (!first.matches("HTTP/1\\.[01] \\d{3}.*")) throw new IOException("no answer: " + first);
    left = Long.MAX_VALUE; // until the connection ends
    for (var line = raw(); !line.isEmpty(); line = raw()) {
      var header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("transfer-encoding:")) isChunked = header.contains("chunked");
      if (header.startsWith("content-length:")) left = Long.parseLong(line.substring(15).strip());
    }
    if (isChunked) left = 0;
    return Integer.parseInt(first.substring(9, 12));
  }

  /** A line of the protocol's own, without its end. */
  private String raw() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new EOFException("the answer broke off");
      if (c != '\r') line.append((char) c);
    }
    return line.toString();
  }

  int status() {
    return status;
  }

  /** The next line of the body; none at its end. */
  Optional<String> line() throws IOException {
    var line = new ByteArrayOutputStream();
    int c = next();
    if (c < 0) return Optional.empty();
    for (; c >= 0 && c != '\n'; c = next()) line.write(c);
    return Optional.of(line.toString(StandardCharsets.UTF_8));
  }

  private int next() throws IOException {
    if (left == 0 && isChunked && !isOver) beginChunk();
    if (left == 0 || isOver) return -1;
    left--;
    int c = in.read();
    if (c >= 0 && isChunked && left == 0) raw(); // a chunk ends with a line's end
    if (c < 0) isOver = true;
    return c;
  }

  private void beginChunk() throws IOException {
    left = Long.parseLong(raw().split(";")[0].strip(), 16);
    isOver = left == 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
