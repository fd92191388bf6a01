package weft.cpu.team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import weft.backend.MemorySource;

/**
 * Memory that grows by being given up for more, and with it what it held. Owns it. Where the system
 * refuses the more there is none at all: nobody gets what was given up.
 */
public final class Room implements AutoCloseable {
  private final MemorySource source;
  private Arena arena = Arena.ofShared();
  private MemorySegment memory = MemorySegment.NULL;

  public Room(MemorySource source) {
    this.source = source;
  }

  /** Whether it had to move to have at least so many bytes. */
  public boolean reserve(long bytes) {
    if (memory.byteSize() >= bytes) return false;
    memory = MemorySegment.NULL;
    arena.close();
    arena = Arena.ofShared();
    memory = source.allocate(bytes, arena);
    return true;
  }

  /** Nobody reads what is there. */
  public void rest() {
    source.lend(memory);
  }

  public MemorySegment memory() {
    return memory;
  }

  @Override
  public void close() {
    arena.close();
  }
}
