package weft.backend;

import java.lang.foreign.MemorySegment;

/**
 * A block in this process's memory.
 *
 * @param release gives the memory back
 */
public record HostBlock(MemorySegment memory, Runnable release) implements Block {
  @Override
  public long bytes() {
    return memory.byteSize();
  }

  @Override
  public void copyFrom(Block other) {
    long both = Math.min(bytes(), other.bytes());
    MemorySegment.copy(((HostBlock) other).memory, 0, memory, 0, both);
  }

  @Override
  public void clear() {
    memory.fill((byte) 0);
  }

  @Override
  public void free() {
    release.run();
  }
}
