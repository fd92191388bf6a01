package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import weft.cuda.driver.Driver;

/**
 * The way of tensors to the device: cores fill one window of pinned memory while the device reads
 * the other. Owns the windows; a close waits until the device has read them.
 */
final class Staging implements AutoCloseable {
  /** Long enough that a copy of it takes longer than it takes to tell of it. */
  static final long WINDOW = 16L << 20;

  private static final int WINDOWS = 2;

  /** Where tensors begin in a window: their fillers write floats, whatever was sent before them. */
  private static final long MULTIPLE = 16;

  /** Pieces that cores take one after the other. */
  private static final int SHARES = 64;

  /** Pieces below this take longer to hand out than to fill. */
  private static final long SMALLEST_SHARE = 64L << 10;

  /** Memory that is filled, or on its way. */
  private static final class Window {
    private final MemorySegment memory;
    private Optional<Driver.Mark> read = Optional.empty();
    private long used;

    private Window(MemorySegment memory) {
      this.memory = memory;
    }
  }

  /** Writes rows of a tensor as the device has them. */
  interface Filler {
    void fill(long firstRow, long rows, MemorySegment to);
  }

  private final Driver driver;
  private final List<Window> windows = new ArrayList<>();
  private int current;

  /**
   * @param bytes of all that will be sent
   * @param rowBytes of the longest row among them
   */
  Staging(Driver driver, long bytes, long rowBytes) {
    this.driver = driver;
    long size = Math.max(rowBytes, Math.min(bytes, WINDOW));
    try {
      for (int i = 0; i < (bytes > size ? WINDOWS : 1); i++) {
        windows.add(new Window(driver.pinned(size)));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Sends rows, some at a time; they are read from where the filler has them before this ends. */
  void send(long rows, long rowBytes, long to, Filler filler) {
    for (long first = 0; first < rows; ) {
      var window = room(rowBytes);
      long fitting = (window.memory.byteSize() - window.used) / rowBytes;
      long count = Math.min(rows - first, fitting);
      var place = window.memory.asSlice(window.used, count * rowBytes);
      fill(first, count, rowBytes, place, filler);
      driver.upload(place, to + first * rowBytes);
      window.used = Math.ceilDiv(window.used + place.byteSize(), MULTIPLE) * MULTIPLE;
      first += count;
    }
  }

  private static void fill(
      long first, long rows, long rowBytes, MemorySegment place, Filler filler) {
    long share = Math.max(Math.ceilDiv(rows, SHARES), Math.ceilDiv(SMALLEST_SHARE, rowBytes));
    IntStream.range(0, Math.toIntExact(Math.ceilDiv(rows, share)))
        .parallel()
        .forEach(
            i -> {
              long from = i * share;
              long some = Math.min(share, rows - from);
              filler.fill(first + from, some, place.asSlice(from * rowBytes, some * rowBytes));
            });
  }

  /** A window with room for a row at least. */
  private Window room(long rowBytes) {
    var window = windows.get(current);
    if (window.used + rowBytes <= window.memory.byteSize()) return window;
    window.read = Optional.of(driver.mark());
    current = (current + 1) % windows.size();
    var next = windows.get(current);
    if (next.read.isPresent()) {
      try {
        driver.await(next.read.get());
      } finally {
        next.read.get().close();
        next.read = Optional.empty();
      }
    }
    next.used = 0;
    return next;
  }

  /** Waits until all that was sent is there. */
  void finish() {
    driver.synchronize();
  }

  @Override
  public void close() {
    // What a device still reads must not go; one that is lost reads nothing.
    CudaDevice.settle(driver);
    for (var window : windows) {
      window.read.ifPresent(Driver.Mark::close);
      driver.unpin(window.memory);
    }
    windows.clear();
  }
}
