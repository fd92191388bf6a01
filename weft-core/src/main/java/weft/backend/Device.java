package weft.backend;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import weft.experts.Traffic;
import weft.ir.Slot;
import weft.lir.Program;
import weft.lir.Target;

/** An open device: owns its threads and memory until it is closed. */
public interface Device extends AutoCloseable {
  Target target();

  /** One sequence's state, empty. The caller closes it. */
  State state(List<Slot> slots);

  /** The memory that its states share. */
  StatePool pool();

  /** Takes a checkpoint's tensors, once for all programs over them. The caller closes it. */
  PreparedWeights prepare(Weights weights);

  /** Makes a program ready to run over weights that this device prepared. The caller closes it. */
  Executable load(Program program, PreparedWeights weights);

  /** What its user should know: why it is less than its backend's best, a sentence each. */
  default List<String> remarks() {
    return List.of();
  }

  /** What experts in a budget have cost so far; any thread may ask. Empty where none are in one. */
  default Optional<Traffic> experts() {
    return Optional.empty();
  }

  /** What tells before a load what it takes, where the device has memory of its own. */
  default Optional<Planner> planner() {
    return Optional.empty();
  }

  /** Where memory of this process comes from that the device reads well. */
  default MemorySource memory() {
    return MemorySource.ARENA;
  }

  /**
   * Keeps memory that is mapped from files resident until it is unmapped, or throws a {@link
   * BackendException} that says why it cannot.
   */
  default void keepResident(MemorySegment memory) {
    throw new BackendException(
        "the device "
            + target().name()
            + " cannot keep memory resident; use --load copy, or --backend cpu");
  }

  @Override
  void close();
}
