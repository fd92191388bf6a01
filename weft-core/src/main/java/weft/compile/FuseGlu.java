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
              case Op.Zip(var bin, var a, var b) when bin == Bin.MUL && folds(site, a, b) ->
                  fused(site, a, b);
              case Op.Zip(var bin, var a, var b) when bin == Bin.MUL && folds(site, b, a) ->
                  fused(site, b, a);
              default -> site.keep();
            });
  }

  private static boolean folds(Rewrite.Site site, Value activated, Value up) {
    return activated.op() instanceof Op.Map(var fn, _)
        && isActivation(fn)
        && activated.type().equals(up.type())
        && site.isOnlyUser(activated);
  }

  private static Value fused(Rewrite.Site site, Value activated, Value up) {
    var map = (Op.Map) activated.op();
    return site.add(new Op.Glu(map.fn(), map.x(), up));
  }

  private static boolean isActivation(Fn fn) {
    return switch (fn) {
      case SILU, GELU_TANH, GELU_ERF, SIGMOID, RELU -> true;
      case SOFTPLUS, EXP, NEG, TANH -> false;
    };
  }
}
