package weft.compile;

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
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Zip(var bin, Value(_, Op.Map(var fn, var gate), var type), var up)
                  when bin == Bin.MUL && isActivation(fn) && type.equals(up.type()) ->
                  site.add(new Op.Glu(fn, gate, up));
              case Op.Zip(var bin, var up, Value(_, Op.Map(var fn, var gate), var type))
                  when bin == Bin.MUL && isActivation(fn) && type.equals(up.type()) ->
                  site.add(new Op.Glu(fn, gate, up));
              default -> site.keep();
            });
  }

  private static boolean isActivation(Fn fn) {
    return switch (fn) {
      case SILU, GELU_TANH, GELU_ERF, SIGMOID, RELU -> true;
      case SOFTPLUS, EXP, NEG, TANH -> false;
    };
  }
}
