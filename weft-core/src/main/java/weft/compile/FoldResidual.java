package weft.compile;

import java.util.Optional;
import weft.ir.Bin;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** A projection that is added to the residual stream adds itself: no pass over the sum. */
final class FoldResidual implements Pass {
  @Override
  public String name() {
    return "fold-residual";
  }

  @Override
  public Graph run(Graph graph) {
    return ZipRule.apply(graph, Bin.ADD, FoldResidual::added);
  }

  private static Optional<Op> added(Value projection, Value residual) {
    return projection.op()
            instanceof Op.Project(var prologue, var x, var weights, var biases, Op.Epilogue.None())
        ? Optional.of(new Op.Project(prologue, x, weights, biases, new Op.Epilogue.Add(residual)))
        : Optional.empty();
  }
}
