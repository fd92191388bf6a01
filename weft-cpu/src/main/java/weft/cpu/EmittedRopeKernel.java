package weft.cpu;

import weft.backend.HostMemory;
import weft.backend.Step;
import weft.cpu.kernel.CallList;
import weft.cpu.kernel.HeadRows;
import weft.cpu.kernel.Kernel;
import weft.cpu.kernel.RopeArguments;
import weft.ir.Type;

/** A launch that turns heads by the step's table of angles. */
record EmittedRopeKernel(Type type, Kernel kernel, AttendKernel.Turn turn, Heads3d x, HeadRows to)
    implements EmittedKernel {
  @Override
  public void record(Step step, CallList calls) {
    var block = calls.arguments(RopeArguments.BYTES);
    new RopeArguments(x.rows(), x.heads(), x.width(), turn.table().angles(turn.scale()), to)
        .write(block);
    calls.call(kernel, block, HostMemory.rows(type, step) * x.heads());
  }

  @Override
  public Change follows() {
    // The table of angles moves only for a step of more rows, and that is recorded anew.
    return Change.ROWS;
  }

  @Override
  public String name() {
    return kernel.name();
  }
}
