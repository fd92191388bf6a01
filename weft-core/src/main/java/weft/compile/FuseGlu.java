package weft.compile;

import java.util.Optional;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** {@code activation(gate) * up} becomes one op: SwiGLU and GeGLU. */
final class FuseGlu implements Pass {
  @Override
  public String name() {
    return "fuse-glu";
  }

  @Override
  public Graph run(Graph graph) {
    return ZipRule.apply(graph, Bin.MUL, FuseGlu::gated);
  }

  private static Optional<Op> gated(Value activated, Value up) {
    return activated.op() instanceof Op.Map(var fn, var gate) && isActivation(fn)
        ? Optional.of(new Op.Glu(fn, gate, up))
        : Optional.empty();
  }

  private static boolean isActivation(Fn fn) {
    return switch (fn) {
      case SILU, GELU_TANH, GELU_ERF, SIGMOID, RELU -> true;
      case SOFTPLUS, EXP, NEG, TANH -> false;
    };
  }
}
