package weft.compile;

import weft.ir.Bin;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** {@code residual + norm(x)} becomes one op: the sandwich norm's way back to the stream. */
final class FuseAddNorm implements Pass {
  @Override
  public String name() {
    return "fuse-add-norm";
  }

  @Override
  public Graph run(Graph graph) {
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Zip(var bin, var residual, Value n)
                  when bin == Bin.ADD && folds(site, n, residual) ->
                  fused(site, n, residual);
              case Op.Zip(var bin, Value n, var residual)
                  when bin == Bin.ADD && folds(site, n, residual) ->
                  fused(site, n, residual);
              default -> site.keep();
            });
  }

  private static boolean folds(Rewrite.Site site, Value norm, Value residual) {
    return norm.op() instanceof Op.RmsNorm
        && norm.type().equals(residual.type())
        && site.isOnlyUser(norm);
  }

  private static Value fused(Rewrite.Site site, Value norm, Value residual) {
    var n = (Op.RmsNorm) norm.op();
    return site.add(new Op.AddNorm(residual, n.x(), n.w(), n.eps(), n.offset()));
  }
}
