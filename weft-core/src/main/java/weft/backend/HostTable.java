package weft.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The addresses of pages, one behind the other, as emitted code reads them; owns its memory. */
final class HostTable implements PageTable {
  /** The entries of a page of memory, which is the least that a system gives: 32,768 positions. */
  private static final int SMALLEST = 512;

  private final HostBlocks source;
  private HostBlock entries;

  HostTable(HostBlocks source) {
    this.source = source;
    this.entries = source.allocate(SMALLEST * ValueLayout.JAVA_LONG.byteSize());
  }

  /** Where the first address lies; valid until the next page is put. */
  MemorySegment addresses() {
    return entries.memory();
  }

  @Override
  public void put(int index, Block page) {
    if (index >= entries.bytes() / ValueLayout.JAVA_LONG.byteSize()) grow();
    set(index, ((HostBlock) page).memory().address());
  }

  @Override
  public void remove(int index) {
    set(index, 0);
  }

  private void set(int index, long address) {
    entries.memory().setAtIndex(ValueLayout.JAVA_LONG, index, address);
  }

  /** Pages are put one behind the other, so twice as many are enough. */
  private void grow() {
    var larger = source.allocate(2 * entries.bytes());
    MemorySegment.copy(entries.memory(), 0, larger.memory(), 0, entries.bytes());
    entries.free();
    entries = larger;
  }

  @Override
  public void close() {
    entries.free();
  }
}
