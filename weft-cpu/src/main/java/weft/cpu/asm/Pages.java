package weft.cpu.asm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Memory straight from the system, which is zero by nature: a page of it is resident once it is
 * written, so room for the most that may come costs no more than what does come.
 */
public final class Pages {
  /** Below this, what the last page wastes outweighs what untouched pages save. */
  static final long SMALLEST = 64 << 10;

  /** The large page of every x86-64: one entry of the processor's table of pages for all of it. */
  public static final long LARGE = 2 << 20;

  /**
   * Blocks from here on are in large pages. What is read and written by row of such a block would
   * look up a small page for each, and the system would give out thousands of those one by one.
   */
  static final long LARGE_FROM = 16 << 20;

  static final long CACHE_LINE = 64;

  private static final long SMALL = 4096;

  private final Libc libc;

  private Pages(Libc libc) {
    this.libc = libc;
  }

  /** The pages of this system; throws {@link AsmException} where it is none that weft knows. */
  public static Pages open() {
    return new Pages(Libc.open());
  }

  /** Reads all of these pages and keeps them in memory until they are unmapped. */
  public void keepResident(MemorySegment pages) {
    libc.lock(pages);
  }

  /**
   * Takes whole pages out of memory, and of a file's out of the system's cache: those that a file
   * still has, or that were {@link #lend lent}.
   */
  public void pageOut(MemorySegment memory) {
    whole(memory).ifPresent(libc::pageOut);
  }

  /**
   * Lets the system have the whole pages of {@link #allocate allocated} memory where it runs short:
   * each holds what it held, or zeros, until it is written to. Where the system cannot do that,
   * they stay.
   */
  public void lend(MemorySegment memory) {
    if (memory.byteSize() < SMALLEST) return;
    try {
      whole(memory).ifPresent(libc::free);
    } catch (AsmException stays) {
      // A system without lending: the pages are given back when they are unmapped.
    }
  }

  /** The pages of which nothing lies outside; empty where there are none. */
  private static Optional<MemorySegment> whole(MemorySegment memory) {
    long from = Math.ceilDiv(memory.address(), SMALL) * SMALL - memory.address();
    long to = (memory.address() + memory.byteSize()) / SMALL * SMALL - memory.address();
    return from < to ? Optional.of(memory.asSlice(from, to - from)) : Optional.empty();
  }

  /** Zeroed memory that the caller must {@link #unmap}. */
  @SuppressWarnings("restricted") // the mapping is fresh and as long as is said
  public MemorySegment map(long bytes) {
    return libc.mapWritable(bytes).reinterpret(bytes);
  }

  /**
   * The same in large pages, whole ones, where the system has them to give: then all of a page is
   * resident once a byte of it is written.
   */
  public MemorySegment mapLarge(long bytes) {
    if (bytes % LARGE != 0) throw new AsmException(bytes + " bytes are no whole large pages");
    var mapping = map(bytes + LARGE);
    long before = Math.ceilDiv(mapping.address(), LARGE) * LARGE - mapping.address();
    long behind = LARGE - before;
    if (before > 0) unmap(mapping.asSlice(0, before));
    if (behind > 0) unmap(mapping.asSlice(before + bytes, behind));
    var pages = mapping.asSlice(before, bytes);
    try {
      libc.askForLarge(pages);
    } catch (AsmException small) {
      // A system without large pages: those that it has do as well.
    }
    return pages;
  }

  /** The same for at least so many bytes, which live as long as the arena. */
  @SuppressWarnings("restricted") // the mapping is fresh and as long as is said
  public MemorySegment allocateLarge(long bytes, Arena arena) {
    var pages = mapLarge(Math.ceilDiv(bytes, LARGE) * LARGE);
    return pages.reinterpret(arena, this::unmap);
  }

  /** Gives memory back that {@link #map} or {@link #mapLarge} gave. */
  public void unmap(MemorySegment pages) {
    libc.unmap(pages, pages.byteSize());
  }

  /** Zeroed memory that begins at a cache line and lives as long as the arena. */
  @SuppressWarnings("restricted") // the mapping is fresh and as long as is said
  public MemorySegment allocate(long bytes, Arena arena) {
    if (bytes >= LARGE_FROM) return allocateLarge(bytes, arena);
    return bytes < SMALLEST
        ? arena.allocate(bytes, CACHE_LINE)
        : libc.mapWritable(bytes).reinterpret(bytes, arena, pages -> libc.unmap(pages, bytes));
  }
}
