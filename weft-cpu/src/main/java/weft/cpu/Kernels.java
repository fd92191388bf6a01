package weft.cpu;

import weft.backend.HostMemory;
import weft.backend.ReferenceKernels;
import weft.backend.Step;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;

/** Chooses the kernel of a launch and binds it to the program's memory. */
final class Kernels {
  private final HostMemory memory;
  private final RopeTables ropes;
  private final int workers;

  Kernels(HostMemory memory, RopeTables ropes, int workers) {
    this.memory = memory;
    this.ropes = ropes;
    this.workers = workers;
  }

  /** Whether a launch has a vector kernel; {@link #bind} follows the same rule. */
  static boolean isVectorized(Launch launch) {
    return switch (launch.op()) {
      case Op.Project p ->
          isView(launch, p.x())
              && p.weights().stream().allMatch(w -> isWeight(launch, w))
              && launch.op().infer().rank() == 2;
      case Op.Linear(var x, var w) ->
          isView(launch, x) && isWeight(launch, w) && x.type().rank() == 2;
      case Op.RmsNorm(var x, _, _, _) -> isView(launch, x);
      case Op.AddNorm(_, var x, _, _, _) -> isView(launch, x) && x.type().rank() == 2;
      case Op.Glu(_, var gate, var up) -> isView(launch, gate) && isView(launch, up);
      case Op.Map(_, var x) -> isView(launch, x);
      case Op.Scale(var x, _) -> isView(launch, x);
      case Op.SoftCap(var x, _) -> isView(launch, x);
      case Op.Zip(_, var a, _) -> isView(launch, a);
      case Op.Embed _ -> true;
      case Op.Rows(var x, _) -> isView(launch, x);
      case Op.Rope _, Op.L2Norm _, Op.Concat _ -> true;
      case Op.Attend _, Op.RopeAttend _ -> true;
      case Op.ShortConv _, Op.DeltaRule _, Op.Experts _ -> true;
      case Op.Heads _, Op.Merge _, Op.Slice _ -> false;
      case Op.Input _, Op.Weight _, Op.Constant _ -> false;
    };
  }

  private static boolean isView(Launch launch, Value value) {
    return launch.operand(value) instanceof Operand.View;
  }

  private static boolean isWeight(Launch launch, Value value) {
    return launch.operand(value) instanceof Operand.Weight;
  }

  Kernel bind(Launch launch) {
    return reference(launch);
  }

  /** The definition itself, run by the first worker. */
  Kernel reference(Launch launch) {
    return new Kernel() {
      @Override
      public void run(Step step, int phase, Worker worker) {
        if (worker.index() == 0) ReferenceKernels.run(launch, memory, step);
      }

      @Override
      public String name() {
        return "reference " + launch.op().mnemonic();
      }
    };
  }
}
