package weft.compile;

import java.util.HashMap;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** Drops what neither an output nor the sequence's state depends on. */
final class EliminateDead implements Pass {
  @Override
  public String name() {
    return "eliminate-dead";
  }

  @Override
  public Graph run(Graph graph) {
    return prune(graph);
  }

  static Graph prune(Graph graph) {
    var live = new boolean[graph.values().size()];
    graph.outputs().values().forEach(output -> live[output.id()] = true);
    for (var value : graph.values().reversed()) {
      // A state op is live by what it writes, even if nobody reads its result.
      if (value.op() instanceof Op.Stateful) live[value.id()] = true;
      if (live[value.id()]) value.op().inputs().forEach(input -> live[input.id()] = true);
    }
    var into = new Graph.Builder();
    var fresh = new HashMap<Value, Value>();
    for (var value : graph.values()) {
      if (live[value.id()]) fresh.put(value, into.add(value.op().map(fresh::get)));
    }
    graph.outputs().forEach((name, value) -> into.output(name, fresh.get(value)));
    return into.build();
  }
}
