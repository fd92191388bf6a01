package weft.backend;

import java.util.ArrayList;
import java.util.List;

/**
 * The pages of one attention slot of one sequence. A page that other sequences have too is never
 * written: the first write copies it. A windowed slot forgets pages that have left its window. Owns
 * its table and its shares of the pages.
 */
final class KvPages implements AutoCloseable {
  /** So far a rewind can go at least, whatever the window. */
  static final int SLACK = KvLayout.POSITIONS;

  private final KvLayout layout;
  private final PageTable table;
  private final long pageBytes;

  /** From page number {@link #first} on. */
  private final List<SharedBlock> pages = new ArrayList<>();

  private int first;

  KvPages(KvLayout layout, StateStorage storage) {
    this.layout = layout;
    this.table = storage.table();
    this.pageBytes = layout.pageBytes();
  }

  KvLayout layout() {
    return layout;
  }

  PageTable table() {
    return table;
  }

  /** The page that holds a position, which must be there. */
  Block page(int position) {
    return pages.get(position / KvLayout.POSITIONS - first).block();
  }

  long bytes() {
    return pages.size() * pageBytes;
  }

  /** The most that so many positions take, fed so many of them a step at most. */
  static long bytesFor(KvLayout layout, int positions, int rows) {
    int pages = KvLayout.pages(positions);
    if (layout.slot().isWindowed()) {
      // What the last step began with stays covered until the next one is in.
      long seen = (long) layout.slot().window() + SLACK + 2L * rows;
      pages = (int) Math.min(pages, Math.ceilDiv(seen, (long) KvLayout.POSITIONS) + 1);
    }
    return pages * layout.pageBytes();
  }

  private int end() {
    return first + pages.size();
  }

  /** Whether the page that a next row at {@code position} goes to is another sequence's too. */
  private boolean sharesPageOf(int position) {
    int index = position / KvLayout.POSITIONS;
    return index < end() && pages.get(index - first).isShared();
  }

  /** What {@link #reserve} would take. */
  long needs(int position, int rows) {
    int missing = Math.max(0, KvLayout.pages(Math.addExact(position, rows)) - end());
    return (missing + (sharesPageOf(position) ? 1 : 0)) * pageBytes;
  }

  /** Pages to write {@code rows} more positions to, behind {@code position}. */
  void reserve(int position, int rows, StatePool.Room room) {
    if (sharesPageOf(position)) {
      int index = position / KvLayout.POSITIONS;
      var own = room.take(pageBytes);
      own.block().copyFrom(pages.get(index - first).block());
      pages.set(index - first, own).release();
      table.put(index, own.block());
    }
    while (end() < KvLayout.pages(position + rows)) add(room.take(pageBytes));
  }

  private void add(SharedBlock page) {
    table.put(end(), page.block());
    pages.add(page);
  }

  /** A windowed slot's step has gone from one position to the next: gives back what is behind. */
  void advanced(int from, int to) {
    int oldest = seenFrom(Math.min(from, to - SLACK));
    while (first < oldest / KvLayout.POSITIONS) {
      table.remove(first);
      first++;
      pages.removeFirst().release();
    }
  }

  /** The oldest position that a row at {@code position} sees. */
  private int seenFrom(int position) {
    return Math.max(0, position - layout.slot().window() + 1);
  }

  /** Whether the sequence can go back to a position: its window is still here. */
  boolean covers(int position) {
    return seenFrom(position) >= first * KvLayout.POSITIONS;
  }

  /** Gives back the pages behind a position, which must be covered, or be the beginning. */
  void cut(int position) {
    while (!pages.isEmpty() && end() > KvLayout.pages(position)) {
      pages.removeLast().release();
      table.remove(end());
    }
    if (pages.isEmpty()) first = KvLayout.pages(position);
  }

  /** Has what another one has up to a position, and no memory of its own. */
  void shareFrom(KvPages other, int position) {
    first = Math.min(other.first, KvLayout.pages(position));
    int shared = Math.min(other.pages.size(), KvLayout.pages(position) - first);
    for (int i = 0; i < shared; i++) add(other.pages.get(i).share());
  }

  @Override
  public void close() {
    pages.forEach(SharedBlock::release);
    pages.clear();
    table.close();
  }
}
