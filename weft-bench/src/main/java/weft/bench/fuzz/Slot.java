package weft.bench.fuzz;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A worker's page of the ledger: which input it is at, and what it has done, in a mapped file. The
 * input is there before it is run, so that one that ends the process is not lost with it. Owns the
 * mapping.
 */
final class Slot implements AutoCloseable {
  static final int LONGEST_INPUT = 1 << 20;
  static final int MOST_TARGETS = 64;

  private static final long RUNNING = 0;
  private static final long TARGET = 8;
  private static final long LENGTH = 16;
  private static final long SET_ASIDE = 24;
  private static final long COUNTERS = 64;
  private static final long INPUT = COUNTERS + 8L * MOST_TARGETS * Counter.values().length;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  /** What a worker counts for each target. */
  enum Counter {
    EXECUTIONS,
    REFUSED,
    INPUTS,
    PLACES
  }

  private final Arena arena = Arena.ofShared();
  private final MemorySegment page;

  Slot(Path file) throws IOException {
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      page = channel.map(FileChannel.MapMode.READ_WRITE, 0, INPUT + LONGEST_INPUT, arena);
    }
  }

  void begin(int target, byte[] input) {
    page.set(LONG, TARGET, target);
    page.set(LONG, LENGTH, input.length);
    MemorySegment.copy(input, 0, page, ValueLayout.JAVA_BYTE, INPUT, input.length);
    page.set(LONG, RUNNING, System.currentTimeMillis());
  }

  void end() {
    page.set(LONG, RUNNING, 0);
  }

  /** When the input that runs now was begun, in milliseconds of the clock; 0 when none runs. */
  long running() {
    return page.get(LONG, RUNNING);
  }

  int target() {
    return (int) page.get(LONG, TARGET);
  }

  byte[] input() {
    return page.asSlice(INPUT, page.get(LONG, LENGTH)).toArray(ValueLayout.JAVA_BYTE);
  }

  long count(Counter counter, int target) {
    return page.get(LONG, place(counter, target));
  }

  void count(Counter counter, int target, long value) {
    page.set(LONG, place(counter, target), value);
  }

  /** Targets that were found wanting often enough, a bit each. */
  long setAside() {
    return page.get(LONG, SET_ASIDE);
  }

  void setAside(long targets) {
    page.set(LONG, SET_ASIDE, targets);
  }

  private static long place(Counter counter, int target) {
    return COUNTERS + 8L * (counter.ordinal() * MOST_TARGETS + target);
  }

  @Override
  public void close() {
    arena.close();
  }
}
