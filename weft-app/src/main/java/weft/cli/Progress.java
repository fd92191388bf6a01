package weft.cli;

import java.util.function.Consumer;

/**
 * Says what is being done once it takes over a second: one line that is rewritten on a terminal, a
 * line every few seconds elsewhere. It is silent once {@link #done} or closed.
 */
final class Progress implements Consumer<String>, AutoCloseable {
  private static final long PATIENCE_MILLIS = 1000;
  private static final long TERMINAL_INTERVAL_MILLIS = 100;
  private static final long LOG_INTERVAL_MILLIS = 5000;
  private static final String ERASE = "\r\033[K";

  private final Console console;
  private final boolean isTerminal;
  private final Object lock = new Object();
  private long nextMillis = millis() + PATIENCE_MILLIS; // guarded by lock, as the rest
  private String stage = "";
  private String shown = "";
  private boolean isClosed;

  Progress(Console console) {
    this.console = console;
    this.isTerminal = console.settings().isErrorTerminal();
    Thread.ofPlatform().daemon().name("weft-progress").start(this::watch);
  }

  private static long millis() {
    return System.nanoTime() / 1_000_000;
  }

  @Override
  public void accept(String next) {
    synchronized (lock) {
      stage = next;
      if (millis() >= nextMillis) show();
    }
  }

  /** A stage that takes long by itself is shown too. */
  private void watch() {
    synchronized (lock) {
      while (!isClosed) {
        long wait = nextMillis - millis();
        if (wait <= 0) {
          show();
          wait = nextMillis - millis();
        }
        try {
          lock.wait(Math.max(1, wait));
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }

  private void show() {
    nextMillis = millis() + (isTerminal ? TERMINAL_INTERVAL_MILLIS : LOG_INTERVAL_MILLIS);
    if (isClosed || stage.isEmpty() || stage.equals(shown)) return;
    shown = stage;
    if (isTerminal) {
      console.err().print(ERASE + "weft: " + stage + " ...");
    } else {
      console.say(stage);
    }
  }

  /** The wait is over: clears what a terminal shows, until there is something to wait for again. */
  void done() {
    synchronized (lock) {
      if (isTerminal && !shown.isEmpty()) {
        console.err().print(ERASE);
      }
      stage = "";
      shown = "";
      nextMillis = millis() + PATIENCE_MILLIS;
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      done();
      isClosed = true;
      lock.notifyAll();
    }
  }
}
