package weft.cpu.asm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that ends where a forbidden page begins: a kernel that reads past it ends the JVM. */
public final class GuardedMemory implements AutoCloseable {
  private static final long PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private final Libc libc = Libc.open();

  /** Zeroed memory of this size, the byte behind which is forbidden. */
  @SuppressWarnings("restricted")
  public MemorySegment allocate(long bytes) {
    long room = (bytes + PAGE - 1) / PAGE * PAGE;
    var pages =
        libc.mapWritable(room + PAGE)
            .reinterpret(room + PAGE, arena, s -> libc.unmap(s, room + PAGE));
    libc.protect(pages.asSlice(room), PAGE, 0);
    return pages.asSlice(room - bytes, bytes);
  }

  @Override
  public void close() {
    arena.close();
  }
}
