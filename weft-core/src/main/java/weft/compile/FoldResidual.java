package weft.compile;

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
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Zip(var bin, var a, var b) when bin == Bin.ADD && folds(site, b, a) ->
                  added(site, b, a);
              case Op.Zip(var bin, var a, var b) when bin == Bin.ADD && folds(site, a, b) ->
                  added(site, a, b);
              default -> site.keep();
            });
  }

  private static boolean folds(Rewrite.Site site, Value projection, Value residual) {
    return projection.op() instanceof Op.Project p
        && p.epilogue() instanceof Op.Epilogue.None
        && projection.type().equals(residual.type())
        && site.isOnlyUser(projection);
  }

  private static Value added(Rewrite.Site site, Value projection, Value residual) {
    var p = (Op.Project) projection.op();
    return site.add(
        new Op.Project(
            p.prologue(), p.x(), p.weights(), p.biases(), new Op.Epilogue.Add(residual)));
  }
}
