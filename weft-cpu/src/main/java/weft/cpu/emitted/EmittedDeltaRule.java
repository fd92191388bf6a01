package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import weft.backend.KeptRows;
import weft.backend.Step;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.recurrent.DeltaRuleArguments;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.Recurrence;
import weft.cpu.launch.SharedScratch;

/** The gated delta rule by emitted code, row by row. */
public final class EmittedDeltaRule implements EmittedLaunch {
  private final Kernel kernel;
  private final Recurrence rule;
  private final MemorySegment keyHeads;

  public EmittedDeltaRule(Kernel kernel, Recurrence rule, SharedScratch scratch) {
    var slot = rule.slot();
    if (KeptRows.headFloats(slot)
        != DeltaRuleArguments.keptFloats(slot.keyDim(), slot.valueDim())) {
      throw new AssertionError("the kernel keeps other rows than the state has room for");
    }
    this.kernel = kernel;
    this.rule = rule;
    var heads = new int[rule.slot().heads()];
    for (int head = 0; head < heads.length; head++) heads[head] = rule.keyHead(head);
    this.keyHeads = scratch.constant(heads);
  }

  @Override
  public void record(Step step, CallList calls) {
    var slot = rule.slot();
    var in = rule.in();
    var arguments =
        new DeltaRuleArguments(
            in.q().rows(),
            in.k().rows(),
            in.v().rows(),
            in.decay().pieces(1),
            in.beta().pieces(1),
            slot.heads(),
            keyHeads,
            slot.keyDim(),
            slot.valueDim(),
            RecurrentParts.table(slot, step, calls),
            rule.result().rows());
    var block = calls.arguments(DeltaRuleArguments.BYTES);
    arguments.write(block);
    calls.needScratch(arguments.scratchBytes());
    calls.call(kernel, block, arguments.units(step.parts().size()));
  }

  @Override
  public Change follows() {
    return Change.SEQUENCES;
  }

  @Override
  public String name() {
    return kernel.name();
  }
}
