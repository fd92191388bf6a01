package weft.cpu.emitted;

import weft.backend.Step;
import weft.cpu.kernel.attention.RopeArguments;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.Heads3d;
import weft.cpu.launch.Turn;
import weft.ir.Type;

/** A launch that turns heads by the step's table of angles. */
public record EmittedRope(Type type, Kernel kernel, Turn turn, Heads3d x, HeadRows to)
    implements EmittedLaunch {
  @Override
  public void record(Step step, CallList calls) {
    var block = calls.arguments(RopeArguments.BYTES);
    new RopeArguments(x.rows(), x.heads(), x.width(), turn.table().angles(turn.scale()), to)
        .write(block);
    calls.call(kernel, block, step.rows(type) * x.heads());
  }

  @Override
  public Change follows() {
    return Change.ROWS;
  }

  @Override
  public String name() {
    return kernel.name();
  }
}
