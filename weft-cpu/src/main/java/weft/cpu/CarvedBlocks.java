package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import weft.backend.HostBlock;
import weft.backend.HostBlocks;
import weft.backend.NoRoomException;
import weft.cpu.asm.AsmException;
import weft.cpu.asm.Pages;

/**
 * Blocks for states, straight from the system; those of one size are carved from large pages.
 *
 * <p>Attention goes from page of keys to page of keys, a few kilobytes in each: in the system's
 * small pages the processor looks up another one, and another line of its table of them, for every
 * page of keys (docs/performance.md has what that costs). A sheet is given back when none of its
 * blocks is in use, but for the last of a size: who opens and closes texts one by one would map it
 * again each time. Safe for all threads.
 */
final class CarvedBlocks implements HostBlocks, AutoCloseable {
  /** Smaller ones are of models whose states take less than a large page. */
  static final long SMALLEST = 16 << 10;

  /** Larger ones would leave too much of a large page over. */
  static final long LARGEST = Pages.LARGE / 4;

  private static final long CACHE_LINE = 64;

  private final Pages pages;

  /** By the size of their blocks; guarded by this, as each sheet is. */
  private final Map<Long, Deque<Sheet>> withFree = new HashMap<>();

  private boolean isClosed; // guarded by this

  CarvedBlocks(Pages pages) {
    this.pages = pages;
  }

  /** One large page and what is free of it. */
  private record Sheet(MemorySegment memory, Deque<Long> free, int blocks) {
    static Sheet of(MemorySegment memory, long bytes) {
      long step = Math.ceilDiv(bytes, CACHE_LINE) * CACHE_LINE;
      var free = new ArrayDeque<Long>();
      for (long at = 0; at + bytes <= memory.byteSize(); at += step) free.add(at);
      return new Sheet(memory, free, free.size());
    }

    boolean isUnused() {
      return free.size() == blocks;
    }
  }

  @Override
  public HostBlock allocate(long bytes) {
    // A convolution without taps keeps nothing, and nothing cannot be mapped.
    if (bytes == 0) return HostBlocks.ARENA.allocate(0);
    try {
      return bytes < SMALLEST || bytes > LARGEST ? alone(bytes) : carved(bytes);
    } catch (AsmException e) {
      throw new NoRoomException(bytes, e);
    }
  }

  private HostBlock alone(long bytes) {
    var memory = pages.map(bytes);
    return new HostBlock(memory, () -> pages.unmap(memory));
  }

  private synchronized HostBlock carved(long bytes) {
    var some = withFree.computeIfAbsent(bytes, _ -> new ArrayDeque<>());
    if (some.isEmpty()) some.add(Sheet.of(pages.mapLarge(Pages.LARGE), bytes));
    var sheet = some.getFirst();
    long at = sheet.free.remove();
    if (sheet.free.isEmpty()) some.removeFirst();
    return new HostBlock(sheet.memory.asSlice(at, bytes), () -> giveBack(bytes, sheet, at));
  }

  private synchronized void giveBack(long bytes, Sheet sheet, long at) {
    var some = withFree.get(bytes);
    if (sheet.free.isEmpty()) some.addLast(sheet);
    sheet.free.addFirst(at);
    if (sheet.isUnused() && (isClosed || some.size() > 1)) {
      some.remove(sheet);
      pages.unmap(sheet.memory);
    }
  }

  /** Keeps nothing that is not in use, now and when the rest comes back. */
  @Override
  public synchronized void close() {
    isClosed = true;
    for (var some : withFree.values()) {
      some.stream().filter(Sheet::isUnused).forEach(sheet -> pages.unmap(sheet.memory));
      some.removeIf(Sheet::isUnused);
    }
  }
}
