package weft.serve.remote;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** Until when a fetch has to be done, redirects and all. */
record Deadline(long nanos) {
  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** What is left of it, at least a millisecond. */
  int milliseconds() throws IOException {
    long left = (nanos - System.nanoTime()) / 1_000_000;
    if (left < 1) throw new IOException("the time is over");
    return (int) left;
  }

  /**
   * Closes a socket when the time is over, however little it sends at a time; interrupt to leave.
   */
  void end(Socket socket) {
    try {
      Thread.sleep(milliseconds());
      socket.close();
    } catch (InterruptedException | IOException e) {
      // Whoever opened it closes it.
    }
  }

  /** Bounds the next read. */
  void on(Socket socket) throws IOException {
    socket.setSoTimeout(milliseconds());
  }
}
