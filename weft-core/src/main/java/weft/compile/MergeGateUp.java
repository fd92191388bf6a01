package weft.compile;

import java.util.List;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** The gate and up projections of one row become one launch that ends in the gate. */
final class MergeGateUp implements Pass {
  @Override
  public String name() {
    return "merge-gate-up";
  }

  @Override
  public Graph run(Graph graph) {
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Glu(var fn, Value gate, Value up)
                  when gate.op() instanceof Op.Project g
                      && up.op() instanceof Op.Project u
                      && g.x().equals(u.x())
                      && Projections.isPlain(g)
                      && Projections.isPlain(u)
                      && g.weights().size() == 1
                      && u.weights().size() == 1
                      && g.biases().size() == u.biases().size()
                      && site.isOnlyUser(gate)
                      && site.isOnlyUser(up) ->
                  site.add(
                      new Op.Project(
                          new Op.Prologue.None(),
                          g.x(),
                          List.of(g.weights().getFirst(), u.weights().getFirst()),
                          Projections.concat(g.biases(), u.biases()),
                          new Op.Epilogue.Gate(fn)));
              default -> site.keep();
            });
  }
}
