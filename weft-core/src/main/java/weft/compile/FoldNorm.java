package weft.compile;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** A norm that only projections read becomes their prologue: the row is read once. */
final class FoldNorm implements Pass {
  @Override
  public String name() {
    return "fold-norm";
  }

  @Override
  public Graph run(Graph graph) {
    var onlyProjected = onlyProjected(graph);
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Project p
                  when site.old().op() instanceof Op.Project old
                      && onlyProjected.contains(old.x())
                      && p.x().op() instanceof Op.RmsNorm(var x, var w, var eps, var offset) ->
                  site.add(
                      new Op.Project(
                          new Op.Prologue.Norm(w, eps, offset),
                          x,
                          p.weights(),
                          p.biases(),
                          p.epilogue()));
              default -> site.keep();
            });
  }

  /** The norms of whole rows that nothing reads but projections without a prologue. */
  private static Set<Value> onlyProjected(Graph graph) {
    var norms = new HashSet<Value>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.RmsNorm && value.type().rank() == 2) norms.add(value);
      var inputs = value.op().inputs();
      for (var input : inputs) {
        boolean folds =
            value.op() instanceof Op.Project p
                && p.x().equals(input)
                && p.prologue() instanceof Op.Prologue.None
                && Collections.frequency(inputs, input) == 1;
        if (!folds) norms.remove(input);
      }
    }
    norms.removeAll(graph.outputs().values());
    return norms;
  }
}
