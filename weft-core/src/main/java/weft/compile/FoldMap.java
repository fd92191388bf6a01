package weft.compile;

import java.util.EnumSet;
import java.util.Set;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;

/**
 * The first projection of a feed-forward without a gate applies the function between the two
 * itself: no pass over rows that are wider than the model's. Functions that make gates and decays
 * of a few columns stay where they are.
 */
final class FoldMap implements Pass {
  private static final Set<Fn> FOLDED = EnumSet.of(Fn.GELU_TANH, Fn.GELU_ERF);

  @Override
  public String name() {
    return "fold-map";
  }

  @Override
  public Graph run(Graph graph) {
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Map(var fn, var y)
                  when FOLDED.contains(fn)
                      && y.op()
                          instanceof
                          Op.Project(
                              var prologue,
                              var x,
                              var weights,
                              var biases,
                              Op.Epilogue.None())
                      && site.isOnlyUser(y) ->
                  site.add(new Op.Project(prologue, x, weights, biases, new Op.Epilogue.Map(fn)));
              default -> site.keep();
            });
  }
}
