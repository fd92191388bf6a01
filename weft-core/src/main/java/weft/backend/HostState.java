package weft.backend;

import java.lang.foreign.MemorySegment;
import weft.ir.Slot;

/** A sequence's state as kernels see it that run in this process's memory. */
public interface HostState {
  /** The memory of a state: its own way to show it, or that of a device of this process. */
  static HostState of(State state) {
    return state instanceof HostState shown ? shown : new SequenceMemory((SequenceState) state);
  }

  HostPages keyValues(Slot.KeyValue slot);

  /** Inputs of rows of a recurrent slot, as {@link KeptRows} says. */
  MemorySegment kept(Slot slot);

  /** By how many of the kept rows a step has to move recurrent slots on before its own. */
  int pending();

  /** The float32 elements of a recurrent slot. */
  MemorySegment recurrent(Slot slot);
}
