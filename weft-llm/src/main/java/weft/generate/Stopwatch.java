package weft.generate;

import java.time.Duration;

/** Times a turn: from its first forward pass to its first token, and from there to its end. */
final class Stopwatch {
  private boolean running;
  private boolean decoding;
  private long started;
  private long first;
  private long ended;

  /** The first call counts. */
  void start() {
    if (!running) {
      running = true;
      started = System.nanoTime();
      first = started;
      ended = started;
    }
  }

  /** A token came. */
  void token() {
    ended = System.nanoTime();
    if (!decoding) {
      decoding = true;
      first = ended;
    }
  }

  Duration prefill() {
    return Duration.ofNanos(first - started);
  }

  Duration decode() {
    return Duration.ofNanos(ended - first);
  }
}
