package weft.backend;

import java.lang.foreign.MemorySegment;
import weft.ir.Slot;

/** A sequence's state as kernels see it that run in this process's memory. */
public record HostState(SequenceState sequence) {
  public static HostState of(State state) {
    return new HostState((SequenceState) state);
  }

  public HostPages keyValues(Slot.KeyValue slot) {
    return new HostPages(sequence.pages(slot));
  }

  /** The float32 elements of a recurrent slot. */
  public MemorySegment recurrent(Slot slot) {
    return ((HostBlock) sequence.recurrent(slot)).memory();
  }
}
