package weft.compile;

import java.util.HashMap;
import java.util.Map;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** Computes equal things once: two ops are equal when their records are. */
final class ShareCommon implements Pass {
  @Override
  public String name() {
    return "share-common";
  }

  @Override
  public Graph run(Graph graph) {
    Map<Op, Value> known = new HashMap<>();
    return Rewrite.apply(graph, site -> known.computeIfAbsent(site.op(), site::add));
  }
}
