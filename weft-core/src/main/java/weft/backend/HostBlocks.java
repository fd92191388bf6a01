package weft.backend;

import java.lang.foreign.Arena;

/** Where a device's blocks of this process's memory come from. */
@FunctionalInterface
public interface HostBlocks {
  /** An arena for each. */
  HostBlocks ARENA = HostBlocks::inArena;

  /** Memory that begins at a cache line; throws {@link NoRoomException} where there is none. */
  HostBlock allocate(long bytes);

  private static HostBlock inArena(long bytes) {
    var arena = Arena.ofShared();
    try {
      return new HostBlock(arena.allocate(bytes, 64), arena::close);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new NoRoomException(bytes, e);
    }
  }
}
