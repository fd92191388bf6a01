package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The float32 elements of one recurrent slot, zero at the beginning; owns them. */
final class RecurrentMemory implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  RecurrentMemory(long elements, MemorySource source) {
    try {
      this.memory = source.allocate(elements * Float.BYTES, arena);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new BackendException(
          "there is no memory for a recurrent layer's state of " + elements + " numbers", e);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
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
