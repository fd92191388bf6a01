package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The float32 elements of one recurrent slot, zero at the beginning; owns them. */
final class RecurrentMemory implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  RecurrentMemory(long elements, MemorySource source) {
    this.memory = source.allocate(elements * Float.BYTES, arena);
    clear();
  }

  MemorySegment memory() {
    return memory;
  }

  long bytes() {
    return memory.byteSize();
  }

  void clear() {
    memory.fill((byte) 0);
  }

  @Override
  public void close() {
    arena.close();
  }
}
