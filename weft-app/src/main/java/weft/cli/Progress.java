package weft.cli;

import java.util.function.Consumer;

/**
 * Says what is being done once it takes over a second: one line that is rewritten on a terminal, a
 * line a stage elsewhere. Closing it clears what a terminal shows.
 */
final class Progress implements Consumer<String>, AutoCloseable {
  private static final long PATIENCE_MILLIS = 1000;
  private static final String ERASE = "\r\033[K";

  private final Console console;
  private final Object lock = new Object();
  private final long start = System.nanoTime();
  private String stage = ""; // guarded by lock, as the rest
  private String shown = "";
  private boolean isClosed;

  Progress(Console console) {
    this.console = console;
    Thread.ofPlatform().daemon().name("weft-progress").start(this::watch);
  }

  @Override
  public void accept(String next) {
    synchronized (lock) {
      stage = next;
      if (isLate()) show();
    }
  }

  private void watch() {
    synchronized (lock) {
      while (!isClosed && !isLate()) {
        try {
          lock.wait(PATIENCE_MILLIS / 4);
        } catch (InterruptedException e) {
          return;
        }
      }
      if (!isClosed) show();
    }
  }

  private boolean isLate() {
    return System.nanoTime() - start >= PATIENCE_MILLIS * 1_000_000;
  }

  private void show() {
    if (isClosed || stage.isEmpty() || stage.equals(shown)) return;
    shown = stage;
    if (console.settings().isErrorTerminal()) {
      console.err().print(ERASE + "weft: " + stage + " ...");
      console.err().flush();
    } else {
      console.say(stage);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      if (console.settings().isErrorTerminal() && !shown.isEmpty()) {
        console.err().print(ERASE);
        console.err().flush();
      }
      isClosed = true;
      lock.notifyAll();
    }
  }
}
