package weft.cpu.asm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;

/**
 * Pages that are used again: what one user's arena gives back, the next one takes. Fresh pages cost
 * their first writer more than the writing, since the system clears and maps each when it is met.
 *
 * <p>Owns what nobody uses, up to a limit; what is in use lives as long as its arena.
 */
public final class PagePool implements AutoCloseable {
  /** What is kept at the most; the blocks that have waited longest go first. */
  static final long MOST_KEPT = 256L << 20;

  private final Libc libc = Libc.open();
  private final Deque<Block> free = new ArrayDeque<>();
  private long kept;
  private boolean isClosed;

  private record Block(MemorySegment pages, long bytes) {
    /** Whether it holds so many bytes and wastes no more than as much again. */
    boolean fits(long wanted) {
      return bytes >= wanted && bytes / 2 <= wanted;
    }
  }

  /** Memory that begins at a cache line and lives as long as the arena; it holds anything. */
  @SuppressWarnings("restricted") // a block is as long as its record says
  public MemorySegment allocate(long bytes, Arena arena) {
    if (bytes < Pages.SMALLEST) return arena.allocate(bytes, Pages.CACHE_LINE);
    var block = take(bytes).orElseGet(() -> new Block(libc.mapWritable(bytes), bytes));
    return block.pages.reinterpret(bytes, arena, _ -> giveBack(block));
  }

  private synchronized Optional<Block> take(long bytes) {
    var best = free.stream().filter(b -> b.fits(bytes)).min(Comparator.comparing(Block::bytes));
    best.ifPresent(
        block -> {
          free.remove(block);
          kept -= block.bytes;
        });
    return best;
  }

  private synchronized void giveBack(Block block) {
    free.addLast(block);
    kept += block.bytes;
    shrinkTo(isClosed ? 0 : MOST_KEPT);
  }

  private void shrinkTo(long most) {
    while (kept > most) {
      var oldest = free.removeFirst();
      kept -= oldest.bytes;
      libc.unmap(oldest.pages, oldest.bytes);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    shrinkTo(0);
  }
}
