package weft.cpu;

import java.lang.foreign.MemorySegment;
import weft.backend.Step;
import weft.cpu.kernel.CallList;
import weft.cpu.kernel.DeltaRuleArguments;
import weft.cpu.kernel.Kernel;

/** The gated delta rule by emitted code, row by row. */
final class EmittedDeltaRuleKernel implements EmittedKernel {
  private final Kernel kernel;
  private final DeltaRuleKernel portable;
  private final MemorySegment keyHeads;

  EmittedDeltaRuleKernel(Kernel kernel, DeltaRuleKernel portable, SharedScratch scratch) {
    this.kernel = kernel;
    this.portable = portable;
    var heads = new int[portable.slot().heads()];
    for (int head = 0; head < heads.length; head++) heads[head] = portable.keyHead(head);
    this.keyHeads = scratch.constant(heads);
  }

  @Override
  public void record(Step step, CallList calls) {
    var slot = portable.slot();
    var in = portable.in();
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
            portable.result().rows());
    var block = calls.arguments(DeltaRuleArguments.BYTES);
    arguments.write(block);
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
