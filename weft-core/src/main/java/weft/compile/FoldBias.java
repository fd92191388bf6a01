package weft.compile;

import java.util.List;
import weft.ir.Bin;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;

/** Every linear op becomes a projection, with the bias that is added to it, if one is. */
final class FoldBias implements Pass {
  @Override
  public String name() {
    return "fold-bias";
  }

  @Override
  public Graph run(Graph graph) {
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Linear(var x, var w) -> site.add(Projections.plain(x, List.of(w), List.of()));
              case Op.Zip(var bin, Value y, Value b)
                  when bin == Bin.ADD
                      && y.op() instanceof Op.Project p
                      && Projections.isPlain(p)
                      && p.weights().size() == 1
                      && p.biases().isEmpty()
                      && b.type().equals(Type.f32(p.columns()))
                      && site.isOnlyUser(y) ->
                  site.add(Projections.plain(p.x(), p.weights(), List.of(b)));
              default -> site.keep();
            });
  }
}
