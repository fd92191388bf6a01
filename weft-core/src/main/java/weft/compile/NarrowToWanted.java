package weft.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Dim;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/**
 * Takes only the wanted rows as early as possible: what the model says of all tokens is computed
 * for the last token alone, from the vocabulary projection back to the last op that mixes rows.
 */
final class NarrowToWanted implements Pass {
  @Override
  public String name() {
    return "narrow-to-wanted";
  }

  @Override
  public Graph run(Graph graph) {
    var selectors =
        graph.values().stream()
            .filter(v -> v.op() instanceof Op.Rows)
            .map(v -> ((Op.Rows) v.op()).rows())
            .distinct()
            .toList();
    // Two different selections would need a copy of the work for each: not a case models have.
    boolean isOneInput = selectors.size() == 1 && selectors.getFirst().op() instanceof Op.Input;
    return isOneInput ? narrow(graph, selectors.getFirst()) : graph;
  }

  private static Graph narrow(Graph graph, Value selector) {
    boolean[] narrow = narrowable(graph);
    var into = new Graph.Builder();
    var fresh = new HashMap<Value, Value>();
    Map<Value, Value> gathered = new HashMap<>();
    // The rows are chosen before the first value that is narrowed, wherever the model says so.
    fresh.put(selector, into.add(selector.op()));
    for (var value : graph.values()) {
      if (value.equals(selector)) continue;
      var made =
          switch (value.op()) {
            case Op.Rows(var x, _) when narrow[x.id()] -> fresh.get(x);
            case Op op when narrow[value.id()] ->
                into.add(
                    op.map(
                        in ->
                            narrow[in.id()] || !isPerRow(in)
                                ? fresh.get(in)
                                : gathered.computeIfAbsent(
                                    in,
                                    v ->
                                        into.add(new Op.Rows(fresh.get(v), fresh.get(selector))))));
            case Op op -> into.add(op.map(fresh::get));
          };
      fresh.put(value, made);
    }
    graph.outputs().forEach((name, value) -> into.output(name, fresh.get(value)));
    return EliminateDead.prune(into.build());
  }

  /** A value can be narrowed when its rows do not mix and all who use it want the same few rows. */
  private static boolean[] narrowable(Graph graph) {
    var users = new ArrayList<List<Value>>();
    for (var value : graph.values()) {
      users.add(new ArrayList<>());
      for (var input : value.op().inputs()) users.get(input.id()).add(value);
    }
    var narrow = new boolean[graph.values().size()];
    for (var value : graph.values().reversed()) {
      narrow[value.id()] =
          keepsRowsApart(value.op())
              && isPerRow(value)
              && !graph.outputs().containsValue(value)
              && users.get(value.id()).stream()
                  .allMatch(u -> u.op() instanceof Op.Rows || narrow[u.id()]);
    }
    return narrow;
  }

  private static boolean isPerRow(Value value) {
    return value.type().rank() > 0 && value.type().dim(0) instanceof Dim.Sym;
  }

  private static boolean keepsRowsApart(Op op) {
    return switch (op) {
      case Op.Map _, Op.Zip _, Op.Scale _, Op.Cast _, Op.Glu _, Op.SoftCap _ -> true;
      case Op.Linear _, Op.Project _, Op.Experts _ -> true;
      case Op.RmsNorm _, Op.AddNorm _, Op.LayerNorm _, Op.L2Norm _ -> true;
      case Op.Heads _, Op.Merge _, Op.Slice _, Op.Concat _ -> true;
      case Op.AllReduce _, Op.AllGather _ -> true;
      // Gathering ids or positions would save nothing worth an integer gather.
      case Op.Embed _, Op.Rope _ -> false;
      case Op.Input _, Op.Weight _, Op.Constant _, Op.Rows _ -> false;
      case Op.Attend _, Op.RopeAttend _, Op.ShortConv _, Op.DeltaRule _ -> false;
    };
  }
}
