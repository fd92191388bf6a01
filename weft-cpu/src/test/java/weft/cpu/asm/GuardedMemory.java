package weft.cpu.asm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory between forbidden pages: a kernel that reads before or past it ends the JVM. What shares a
 * page with it holds a pattern, so that a write there is seen.
 */
public final class GuardedMemory implements AutoCloseable {
  private static final long PAGE = 4096;
  private static final byte PATTERN = (byte) 0xA5;

  private final Arena arena = Arena.ofShared();
  private final Libc libc = Libc.open();
  private final List<MemorySegment> slack = new ArrayList<>();

  /** Which end of the memory touches a forbidden page. */
  public enum Side {
    BEGIN,
    END
  }

  /** Zeroed memory of this size, the byte behind which is forbidden. */
  public MemorySegment allocate(long bytes) {
    return allocate(bytes, Side.END);
  }

  /** Zeroed memory of this size, the byte before or behind which is forbidden. */
  @SuppressWarnings("restricted")
  public MemorySegment allocate(long bytes, Side side) {
    long room = (bytes + PAGE - 1) / PAGE * PAGE;
    long mapped = room + 2 * PAGE;
    var pages = libc.mapWritable(mapped).reinterpret(mapped, arena, s -> libc.unmap(s, mapped));
    libc.protect(pages, PAGE, 0);
    libc.protect(pages.asSlice(PAGE + room), PAGE, 0);
    long begin = side == Side.BEGIN ? PAGE : PAGE + room - bytes;
    slack.add(pages.asSlice(PAGE, begin - PAGE).fill(PATTERN));
    slack.add(pages.asSlice(begin + bytes, PAGE + room - begin - bytes).fill(PATTERN));
    return pages.asSlice(begin, bytes);
  }

  /** Forbids writes to memory of this, as to a file that is mapped to be read. */
  public void makeReadable(MemorySegment memory) {
    protect(memory, Libc.READ);
  }

  public void makeWritable(MemorySegment memory) {
    protect(memory, Libc.READ | Libc.WRITE);
  }

  @SuppressWarnings("restricted")
  private void protect(MemorySegment memory, int protection) {
    long from = memory.address() / PAGE * PAGE;
    long bytes = memory.address() + memory.byteSize() - from;
    if (memory.byteSize() > 0) libc.protect(MemorySegment.ofAddress(from), bytes, protection);
  }

  /** Whether nothing was written beside what was given out. */
  public boolean isIntact() {
    var pattern = MemorySegment.ofArray(new byte[(int) PAGE]).fill(PATTERN);
    return slack.stream()
        .allMatch(s -> MemorySegment.mismatch(s, 0, s.byteSize(), pattern, 0, s.byteSize()) < 0);
  }

  @Override
  public void close() {
    arena.close();
  }
}
