package weft.backend;

import java.util.List;
import weft.ir.Op;
import weft.ir.Slot;
import weft.lir.Program;
import weft.lir.Stored;
import weft.lir.Target;

/** The slow, obvious interpreter that every kernel, pass and backend is compared with. */
public final class ReferenceBackend implements Backend {
  @Override
  public String name() {
    return "reference";
  }

  @Override
  public Device open(Options options) {
    options.requireOnlyDevice(name());
    var remarks =
        options.experts().map(_ -> "the reference reads experts where they are mapped: no budget");
    return new ReferenceDevice(
        new HostStates(options.kvType(), HostBlocks.ARENA, options.memoryBudget()),
        remarks.stream().toList());
  }

  private record ReferenceDevice(HostStates states, List<String> remarks)
      implements Device, Target {
    @Override
    public Target target() {
      return this;
    }

    @Override
    public String name() {
      return "reference";
    }

    @Override
    public boolean takes(Op op, Stored weights) {
      return true;
    }

    @Override
    public State state(List<Slot> slots) {
      return states.open(slots);
    }

    @Override
    public StatePool pool() {
      return states.pool();
    }

    @Override
    public PreparedWeights prepare(Weights weights) {
      return new HostWeights(weights, MemorySource.ARENA, this);
    }

    @Override
    public Executable load(Program program, PreparedWeights weights) {
      return new ReferenceExecutable(program, HostWeights.of(this, weights), states);
    }

    @Override
    public void close() {
      states.close();
    }
  }
}
