package weft.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** Projections of one row (q, k and v) become one launch whose outputs lie side by side. */
final class MergeProjections implements Pass {
  /** What can share a launch: one row, and a bias for all of them or for none. */
  private record Group(Value x, boolean isBiased) {
    static Group of(Op.Project p) {
      return new Group(p.x(), !p.biases().isEmpty());
    }
  }

  @Override
  public String name() {
    return "merge-projections";
  }

  @Override
  public Graph run(Graph graph) {
    Map<Group, List<Value>> groups = new LinkedHashMap<>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Project p
          && Projections.isPlain(p)
          && isGivenEarly(p)
          && !graph.outputs().containsValue(value)) {
        groups.computeIfAbsent(Group.of(p), g -> new ArrayList<>()).add(value);
      }
    }
    groups.values().removeIf(group -> group.size() < 2);
    return merged(graph, groups);
  }

  private static Graph merged(Graph graph, Map<Group, List<Value>> groups) {
    var into = new Graph.Builder();
    var fresh = new HashMap<Value, Value>();
    for (var value : graph.values()) {
      if (fresh.containsKey(value)) continue; // placed ahead of its turn, with its group
      if (value.op() instanceof Op.Project p
          && groups.getOrDefault(Group.of(p), List.of()).contains(value)) {
        place(groups.get(Group.of(p)), into, fresh);
      } else {
        fresh.put(value, into.add(value.op().map(fresh::get)));
      }
    }
    graph.outputs().forEach((name, value) -> into.output(name, fresh.get(value)));
    return EliminateDead.prune(into.build());
  }

  private static void place(List<Value> group, Graph.Builder into, Map<Value, Value> fresh) {
    List<Value> weights = new ArrayList<>();
    List<Value> biases = new ArrayList<>();
    for (var member : group) {
      var p = (Op.Project) member.op();
      p.weights().forEach(w -> weights.add(fresh.computeIfAbsent(w, v -> into.add(v.op()))));
      p.biases().forEach(b -> biases.add(fresh.computeIfAbsent(b, v -> into.add(v.op()))));
    }
    var x = ((Op.Project) group.getFirst().op()).x();
    var all = into.add(Projections.plain(fresh.get(x), weights, biases));
    int from = 0;
    for (var member : group) {
      int to = from + member.type().width();
      fresh.put(member, into.add(new Op.Slice(all, from, to)));
      from = to;
    }
  }

  /** Weights are leaves, so a later member's can be named before its turn. */
  private static boolean isGivenEarly(Op.Project p) {
    return p.weights().stream().allMatch(w -> w.op() instanceof Op.Weight)
        && p.biases().stream().allMatch(b -> b.op() instanceof Op.Weight);
  }
}
