package weft.serve.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads one answer of HTTP/1.1 from a socket, within bounds of size and time. */
final class HttpAnswer {
  /** Characters of all headers. */
  static final int LONGEST_HEAD = 32 << 10;

  private final Socket socket;
  private final InputStream in;
  private final Deadline deadline;
  private final Map<String, String> headers = new HashMap<>();
  private final int status;
  private int read;

  HttpAnswer(Socket socket, Deadline deadline) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.deadline = deadline;
    this.status = head();
  }

  int status() {
    return status;
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  private int head() throws IOException {
    var words = line().split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/1.")) throw new IOException("no HTTP/1.1");
    for (var line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 1) throw new IOException("a header without a name");
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return number(words[1], 10);
  }

  /** At most so many bytes: one more is a failure. */
  byte[] body(int most) throws IOException {
    var body = new ByteArrayOutputStream();
    var coding = header("transfer-encoding").orElse("");
    if (!coding.isEmpty() && !coding.equalsIgnoreCase("chunked")) {
      throw new IOException("a transfer coding that was not asked for");
    }
    if (!coding.isEmpty()) {
      while (chunk(body, most)) read = 0;
    } else if (header("content-length").isPresent()) {
      copy(body, number(header("content-length").orElseThrow(), 10), most);
    } else {
      while (more(body, most - body.size() + 1)) requireAtMost(body.size(), most);
    }
    return body.toByteArray();
  }

  private boolean chunk(ByteArrayOutputStream body, int most) throws IOException {
    int size = number(line().split(";", 2)[0].strip(), 16);
    copy(body, size, most);
    if (size > 0 && !line().isEmpty()) throw new IOException("a chunk longer than it says");
    return size > 0;
  }

  private void copy(ByteArrayOutputStream body, int count, int most) throws IOException {
    requireAtMost((long) body.size() + count, most);
    int end = body.size() + count;
    while (body.size() < end) {
      if (!more(body, end - body.size())) throw new IOException("the answer ends early");
    }
  }

  /** Reads some bytes; false at the end. */
  private boolean more(ByteArrayOutputStream body, int most) throws IOException {
    deadline.on(socket);
    var bytes = new byte[Math.min(most, 8192)];
    int count = in.read(bytes);
    if (count > 0) body.write(bytes, 0, count);
    return count >= 0;
  }

  private static void requireAtMost(long size, int most) throws IOException {
    if (size > most) throw new TooLongException();
  }

  /** More than was asked for. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;
  }

  private static int number(String text, int radix) throws IOException {
    try {
      int number = Integer.parseInt(text, radix);
      if (number < 0) throw new IOException("a negative number");
      return number;
    } catch (NumberFormatException e) {
      throw new IOException("no number", e);
    }
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    while (true) {
      deadline.on(socket);
      int next = in.read();
      if (next < 0 || ++read > LONGEST_HEAD) throw new IOException("no end of a line");
      if (next == '\n') return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
      line.write(next);
    }
  }
}
