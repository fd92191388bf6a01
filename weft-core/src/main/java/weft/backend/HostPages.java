package weft.backend;

import java.lang.foreign.MemorySegment;

/** The keys and values of one attention slot of a sequence, in this process's memory. */
public final class HostPages {
  private final KvPages pages;

  HostPages(KvPages pages) {
    this.pages = pages;
  }

  /** How each page is laid out. */
  public KvLayout layout() {
    return pages.layout();
  }

  /** The page that holds a position. */
  public MemorySegment page(int position) {
    return ((HostBlock) pages.page(position)).memory();
  }

  /** The addresses of the pages, by their numbers; where they lie until the next step. */
  public MemorySegment addresses() {
    return ((HostTable) pages.table()).addresses();
  }
}
