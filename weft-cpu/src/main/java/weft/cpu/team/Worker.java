package weft.cpu.team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import weft.backend.MemorySource;

/** One of the threads that run a program together, with memory of its own, which it owns. */
public final class Worker implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final int index;
  private final int count;
  private final Room nativeScratch;
  private float[] scratch = new float[0];
  private float[] more = new float[0];
  private MemorySegment block = MemorySegment.NULL;

  /**
   * @param memory where large scratch comes from: most of its pages may never be written
   */
  public Worker(int index, int count, MemorySource memory) {
    this.index = index;
    this.count = count;
    this.nativeScratch = new Room(memory);
  }

  public int index() {
    return index;
  }

  /** Where this worker's share of {@code units} begins. */
  public int from(int units) {
    return (int) ((long) units * index / count);
  }

  public int to(int units) {
    return (int) ((long) units * (index + 1) / count);
  }

  /** At least {@code size} floats that stay until the next call. */
  public float[] scratch(int size) {
    if (scratch.length < size) scratch = new float[size];
    return scratch;
  }

  /** Native memory for the argument block of an emitted kernel. */
  MemorySegment block(long bytes) {
    if (block.byteSize() < bytes) block = arena.allocate(bytes, Long.BYTES);
    return block;
  }

  /** At least this much native memory, which stays until the next call. */
  public MemorySegment nativeScratch(long bytes) {
    if (nativeScratch.memory().byteSize() < bytes) nativeScratch.reserve(2 * bytes);
    return nativeScratch.memory();
  }

  /** A second such array. */
  public float[] more(int size) {
    if (more.length < size) more = new float[size];
    return more;
  }

  @Override
  public void close() {
    arena.close();
    nativeScratch.close();
  }
}
