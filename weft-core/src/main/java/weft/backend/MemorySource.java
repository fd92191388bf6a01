package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where a device's large blocks of this process's memory come from. */
@FunctionalInterface
public interface MemorySource {
  /** The arena itself, which writes zeros to all of a block, so that all of it is resident. */
  MemorySource ARENA = (bytes, arena) -> arena.allocate(bytes, 64);

  /** Memory that begins at a cache line and lives as long as the arena; it may hold anything. */
  MemorySegment allocate(long bytes, Arena arena);

  /**
   * Nobody reads such a block before writing to it: a system that runs short may have its pages,
   * and gives others, of zeros, when they are written to again.
   */
  default void lend(MemorySegment block) {}
}
