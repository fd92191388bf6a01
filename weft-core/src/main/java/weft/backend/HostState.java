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

  /** Inputs of rows of a recurrent slot, as {@link KeptRows} says. */
  public MemorySegment kept(Slot slot) {
    return sequence
        .kept(slot)
        .map(block -> ((HostBlock) block).memory())
        .orElse(MemorySegment.NULL);
  }

  /** By how many of the kept rows a step has to move recurrent slots on before its own. */
  public int pending() {
    return sequence.pending();
  }

  /** The float32 elements of a recurrent slot. */
  public MemorySegment recurrent(Slot slot) {
    return ((HostBlock) sequence.recurrent(slot)).memory();
  }
}
