package weft.compile;

import java.util.HashMap;
import java.util.Map;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/**
 * Walks a graph once, inputs first, and lets a rule say what each op becomes; the dead fall away.
 */
final class Rewrite {
  /** What an op becomes. {@link Site#keep} leaves it as it is. */
  @FunctionalInterface
  interface Rule {
    Value apply(Site site);
  }

  /** A value as it was, its op over the rewritten inputs, and what a rule may ask of them. */
  record Site(Value old, Op op, Graph.Builder into, Map<Value, Integer> uses) {
    Value add(Op op) {
      return into.add(op);
    }

    Value keep() {
      return into.add(op);
    }

    /** Whether nothing but this op uses the value, so that folding it away saves its work. */
    boolean isOnlyUser(Value input) {
      return uses.getOrDefault(input, 0) == 1;
    }
  }

  private Rewrite() {}

  static Graph apply(Graph graph, Rule rule) {
    var into = new Graph.Builder();
    var usesBefore = uses(graph);
    var uses = new HashMap<Value, Integer>();
    var fresh = new HashMap<Value, Value>();
    for (var value : graph.values()) {
      var made = rule.apply(new Site(value, value.op().map(fresh::get), into, uses));
      fresh.put(value, made);
      uses.merge(made, usesBefore.getOrDefault(value, 0), Integer::sum);
    }
    graph.outputs().forEach((name, value) -> into.output(name, fresh.get(value)));
    return EliminateDead.prune(into.build());
  }

  /** How often each value is used, being an output included. */
  static Map<Value, Integer> uses(Graph graph) {
    var uses = new HashMap<Value, Integer>();
    for (var value : graph.values()) {
      for (var input : value.op().inputs()) uses.merge(input, 1, Integer::sum);
    }
    graph.outputs().values().forEach(output -> uses.merge(output, 1, Integer::sum));
    return uses;
  }
}
