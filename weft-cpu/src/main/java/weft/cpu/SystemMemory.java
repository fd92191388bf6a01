package weft.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import weft.backend.MemorySource;
import weft.cpu.asm.Pages;

/** Blocks in pages of the system, to which they can be lent. */
record SystemMemory(Pages pages) implements MemorySource {
  @Override
  public MemorySegment allocate(long bytes, Arena arena) {
    return pages.allocate(bytes, arena);
  }

  @Override
  public void lend(MemorySegment block) {
    pages.lend(block);
  }
}
