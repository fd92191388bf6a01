package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The float32 elements of one recurrent slot, zero at the beginning; owns them. */
final class RecurrentMemory implements AutoCloseable {
  private static final long CACHE_LINE = 64;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  RecurrentMemory(long elements) {
    this.memory = arena.allocate(elements * Float.BYTES, CACHE_LINE);
  }

  MemorySegment memory() {
    return memory;
  }

  long bytes() {
    return memory.byteSize();
  }

  byte[] save() {
    return memory.toArray(ValueLayout.JAVA_BYTE);
  }

  /** Saves into an array that {@link #save()} gave. */
  void save(byte[] into) {
    MemorySegment.ofArray(into).copyFrom(memory);
  }

  void load(byte[] saved) {
    memory.copyFrom(MemorySegment.ofArray(saved));
  }

  void clear() {
    memory.fill((byte) 0);
  }

  @Override
  public void close() {
    arena.close();
  }
}
