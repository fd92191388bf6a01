package weft.compile;

import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** Queries and keys are rotated as attention reads them, not in passes of their own. */
final class FuseRope implements Pass {
  @Override
  public String name() {
    return "fuse-rope";
  }

  @Override
  public Graph run(Graph graph) {
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Attend(var slot, Value q, Value k, var v, var scores)
                  when q.op() instanceof Op.Rope rq
                      && k.op() instanceof Op.Rope rk
                      && new Op.Rope(
                              rk.x(), rq.positions(), rq.frequencies(), rq.pairing(), rq.scale())
                          .equals(rk)
                      && site.isOnlyUser(q)
                      && site.isOnlyUser(k) ->
                  site.add(
                      new Op.RopeAttend(
                          slot,
                          rq.x(),
                          rk.x(),
                          v,
                          scores,
                          rq.positions(),
                          rq.frequencies(),
                          rq.pairing(),
                          rq.scale()));
              default -> site.keep();
            });
  }
}
