package weft.cpu.asm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Owns the pages that one {@link Code} runs in, and must be closed.
 *
 * <p>The pages are written first and made executable after; they are never both. Closing while
 * another thread runs the code is an error that leaves the pages mapped.
 */
public final class CodeMemory implements AutoCloseable {
  private static final long PAGE = 4096;

  private final Arena arena;
  private final MemorySegment pages;
  private final Entries entries;
  private final FaultGuard guard;
  private final int watched;

  private CodeMemory(Arena arena, MemorySegment pages, Entries entries, FaultGuard guard) {
    this.arena = arena;
    this.pages = pages;
    this.entries = entries;
    this.guard = guard;
    this.watched = guard.watch(pages);
  }

  /** Maps the code; throws {@link AsmException} where this system does not let it run. */
  @SuppressWarnings("restricted") // the pages are this object's own
  public static CodeMemory load(Code code) {
    var libc = Libc.open();
    long bytes = Math.max(PAGE, (code.size() + PAGE - 1) / PAGE * PAGE);
    var address = libc.mapWritable(bytes);
    var arena = Arena.ofShared();
    try {
      var pages = address.reinterpret(bytes, arena, s -> libc.unmap(s, bytes));
      MemorySegment.copy(MemorySegment.ofArray(code.bytes()), 0, pages, 0, code.size());
      libc.protect(pages, bytes, Libc.READ | Libc.EXECUTE);
      return new CodeMemory(arena, pages.asReadOnly(), code.entries(), FaultGuard.open());
    } catch (AsmException e) {
      arena.close();
      throw e;
    }
  }

  /** The function that {@link Assembler#entry} began under this name. */
  public EntryPoint entry(String name) {
    return new EntryPoint(name, pages.asSlice(entries.offset(name)));
  }

  /** The pages, for tests that look at how the system mapped them. */
  MemorySegment pagesForTest() {
    return pages;
  }

  @Override
  public void close() {
    arena.close();
    guard.forget(watched);
  }
}
