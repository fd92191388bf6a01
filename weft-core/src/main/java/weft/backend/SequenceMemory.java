package weft.backend;

import java.lang.foreign.MemorySegment;
import weft.ir.Slot;

/** The memory of a sequence whose blocks and tables are this process's. */
record SequenceMemory(SequenceState sequence) implements HostState {
  @Override
  public HostPages keyValues(Slot.KeyValue slot) {
    return new Pages(sequence.pages(slot));
  }

  @Override
  public MemorySegment kept(Slot slot) {
    return sequence
        .kept(slot)
        .map(block -> ((HostBlock) block).memory())
        .orElse(MemorySegment.NULL);
  }

  @Override
  public int pending() {
    return sequence.pending();
  }

  @Override
  public MemorySegment recurrent(Slot slot) {
    return ((HostBlock) sequence.recurrent(slot)).memory();
  }

  private record Pages(KvPages pages) implements HostPages {
    @Override
    public KvLayout layout() {
      return pages.layout();
    }

    @Override
    public MemorySegment page(int position) {
      return ((HostBlock) pages.page(position)).memory();
    }

    @Override
    public MemorySegment addresses() {
      return ((HostTable) pages.table()).addresses();
    }
  }
}
