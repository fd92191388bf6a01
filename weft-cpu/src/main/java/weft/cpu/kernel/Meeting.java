package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where workers inside {@link Walker emitted code} wait for each other; owns the counters.
 *
 * <p>Arrivals are counted and never reset: worker after worker adds one and waits until there are
 * as many as all workers make by its own count of meetings, so a fast one can be on its way to the
 * next meeting while a slow one leaves this one.
 */
public final class Meeting implements AutoCloseable {
  /** Counters that different workers write lie this far apart. */
  static final int LINE = 64;

  static final int ARRIVALS = 0;
  static final int WORKERS = LINE;
  static final int SPINS = LINE + 8;

  /** Behind this, each worker's own count of meetings, a line apart. */
  static final int PASSED = 2 * LINE;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  /**
   * @param spins how often a worker looks before it gives way to other threads
   */
  public Meeting(int workers, int spins) {
    memory = arena.allocate(PASSED + (long) workers * LINE, LINE);
    memory.set(JAVA_LONG, WORKERS, workers);
    memory.set(JAVA_LONG, SPINS, spins);
  }

  MemorySegment memory() {
    return memory;
  }

  @Override
  public void close() {
    arena.close();
  }
}
