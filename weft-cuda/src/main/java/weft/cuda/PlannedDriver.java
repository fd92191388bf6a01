package weft.cuda;

import java.lang.foreign.MemorySegment;
import weft.cuda.driver.Driver;

/** Counts what would be allocated on a device, and does nothing to it. */
final class PlannedDriver implements Driver {
  /** Larger allocations are whole pages of the device, of 2 MiB; smaller ones share them. */
  private static final long PAGE = 2L << 20;

  private final Properties properties;
  private long taken;

  PlannedDriver(Properties properties) {
    this.properties = properties;
  }

  /** The bytes that were asked for, as the device would give them. */
  long taken() {
    return taken;
  }

  @Override
  public Properties properties() {
    return properties;
  }

  @Override
  public long freeBytes() {
    return Long.MAX_VALUE - taken;
  }

  @Override
  public long allocate(long bytes) {
    long unit = bytes < PAGE ? ALIGNMENT : PAGE;
    taken += Math.max(1, Math.ceilDiv(bytes, unit)) * unit;
    // An address that is no other's: nobody goes there.
    return taken;
  }

  @Override
  public void free(long address) {}

  @Override
  public MemorySegment pinned(long bytes) {
    return MemorySegment.NULL;
  }

  @Override
  public void unpin(MemorySegment memory) {}

  @Override
  public void synchronize() {}

  @Override
  public void close() {}

  @Override
  public void upload(MemorySegment from, long to) {
    throw untold();
  }

  @Override
  public void download(long from, MemorySegment to) {
    throw untold();
  }

  @Override
  public void copy(long from, long to, long bytes) {
    throw untold();
  }

  @Override
  public void clear(long at, long bytes) {
    throw untold();
  }

  @Override
  public Module module(String ptx) {
    throw untold();
  }

  @Override
  public byte[] compile(String ptx) {
    throw untold();
  }

  @Override
  public Module module(byte[] code) {
    throw untold();
  }

  @Override
  public void launch(Function function, Grid grid, long... arguments) {
    throw untold();
  }

  @Override
  public Graph capture(Runnable told) {
    throw untold();
  }

  @Override
  public void launch(Graph graph) {
    throw untold();
  }

  @Override
  public Mark mark() {
    throw untold();
  }

  @Override
  public void await(Mark mark) {
    throw untold();
  }

  @Override
  public double millis(Mark from, Mark to) {
    throw untold();
  }

  private static AssertionError untold() {
    return new AssertionError("a plan tells a device nothing");
  }
}
