package weft.compile;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import weft.ir.DType;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Stored;

/**
 * A graph in sections, each of which a mesh cuts or leaves whole: what lies between projections of
 * whole rows and the projection back to them, such as all heads of a layer's attention, or the
 * hidden rows of its feed-forward.
 */
final class Sections {
  private final Graph graph;
  private final Stored weights;
  private final int members;
  private final int[] parents;
  private final Map<Value, Runs> runs = new HashMap<>();

  /** Sections with a value that a projection gives, and with one that tokens are. */
  private final Set<Integer> begun = new HashSet<>();

  private final Set<Integer> embedded = new HashSet<>();

  /** Why sections are whole, by their root; what is missing here is cut. */
  private final Map<Integer, String> whole = new HashMap<>();

  Sections(Graph graph, Stored weights, int members) {
    this.graph = graph;
    this.weights = weights;
    this.members = members;
    this.parents = new int[graph.values().size()];
    for (int i = 0; i < parents.length; i++) parents[i] = i;
    for (var value : graph.values()) {
      if (isCuttable(value)) runs.put(value, Runs.of(AxisRules.size(value)));
    }
    var joining = new AxisRules(weights, new Joining());
    graph.values().stream().filter(runs::containsKey).forEach(joining::tell);
    purposes();
    refine();
    graph.values().forEach(this::requirePieces);
    graph.values().forEach(this::requireSumsOfEachOnce);
    graph.values().forEach(this::requireWholeRows);
  }

  private static boolean isCuttable(Value value) {
    return value.type().dtype() != DType.I32 && value.type().rank() <= 3;
  }

  /** Whether each member has its own part of a value. */
  boolean isCut(Value value) {
    return runs.containsKey(value) && !whole.containsKey(root(value));
  }

  /** How a value that is cut is. */
  Runs runs(Value value) {
    return runs.get(value);
  }

  /** Why projections back to whole rows read what is whole, by the names of their weights. */
  Map<String, String> left() {
    var left = new LinkedHashMap<String, String>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Linear(var x, var w)
          && w.op() instanceof Op.Weight(var name, _)
          && !isCut(x)
          && !isCut(value)
          && isBetween(x)) {
        left.put(name, whole.get(root(x)));
      }
    }
    return left;
  }

  /** Whether a section begins with projections, as that of the model's rows does not. */
  private boolean isBetween(Value x) {
    return begun.contains(root(x)) && !embedded.contains(root(x));
  }

  private int root(Value value) {
    int at = value.id();
    while (parents[at] != at) at = parents[at] = parents[parents[at]];
    return at;
  }

  private void keepWhole(Value value, String why) {
    if (runs.containsKey(value)) whole.putIfAbsent(root(value), why);
  }

  /** Values that are cut alike or not at all are one section. */
  private final class Joining implements AxisRules.Listener {
    private void join(Value a, Value b) {
      if (!runs.containsKey(a) || !runs.containsKey(b)) {
        keepWhole(a, "it has too many axes");
        keepWhole(b, "it has too many axes");
        return;
      }
      int from = root(a);
      int to = root(b);
      if (from == to) return;
      parents[from] = to;
      var why = Optional.ofNullable(whole.remove(from));
      why.ifPresent(reason -> whole.putIfAbsent(to, reason));
    }

    @Override
    public void same(Value a, Value b) {
      join(a, b);
    }

    @Override
    public void grouped(Value elements, Value groups, int each) {
      join(elements, groups);
    }

    @Override
    public void window(Value all, int from, Value part) {
      join(all, part);
    }

    @Override
    public void shared(Value keys, Value heads, Op.Grouping grouping) {
      join(keys, heads);
    }

    @Override
    public void aligned(Value value, int unit) {}

    @Override
    public void whole(Value value, String why) {
      keepWhole(value, why);
    }
  }

  /** A section that no projection begins, or that nothing is made of, is better whole. */
  private void purposes() {
    var used = new HashSet<Integer>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Embed) embedded.add(root(value));
      if (value.op() instanceof Op.Linear(var x, var w) && AxisRules.isMatrix(x, w)) {
        begun.add(root(value));
        used.add(root(x));
      }
    }
    graph.outputs().values().forEach(output -> used.add(root(output)));
    for (var value : runs.keySet()) {
      if (!begun.contains(root(value))) keepWhole(value, "no projection begins it");
      if (!used.contains(root(value))) keepWhole(value, "no projection ends it");
    }
  }

  /** Tells every op of the needs of its neighbours until nobody needs more. */
  private void refine() {
    var refining = new Refining();
    var rules = new AxisRules(weights, refining);
    do {
      refining.isChanged = false;
      graph.values().stream().filter(runs::containsKey).forEach(rules::tell);
    } while (refining.isChanged);
  }

  private final class Refining implements AxisRules.Listener {
    private boolean isChanged;

    private void put(Value value, Runs needed) {
      isChanged |= !needed.equals(runs.put(value, needed));
    }

    private boolean isWhole(Value value) {
      return !isCut(value);
    }

    @Override
    public void same(Value a, Value b) {
      if (isWhole(a)) return;
      var both = runs.get(a).and(runs.get(b));
      put(a, both);
      put(b, both);
    }

    @Override
    public void grouped(Value elements, Value groups, int each) {
      if (isWhole(elements)) return;
      var over = runs.get(elements).over(each);
      if (over.isEmpty()) {
        keepWhole(elements, "a run of it ends within a head");
        return;
      }
      var both = over.get().and(runs.get(groups));
      put(groups, both);
      put(elements, runs.get(elements).and(both.times(each)));
    }

    @Override
    public void window(Value all, int from, Value part) {
      if (isWhole(all)) return;
      var both = runs.get(part).and(runs.get(all).part(from, from + runs.get(part).size()));
      put(part, both);
      put(all, runs.get(all).with(from, both));
    }

    @Override
    public void shared(Value keys, Value heads, Op.Grouping grouping) {
      if (isWhole(keys)) return;
      int few = AxisRules.size(keys);
      int each = AxisRules.size(heads) / few;
      switch (grouping) {
        case TILED -> {
          for (int i = 0; i < each; i++) window(heads, i * few, keys);
        }
        case BLOCKED -> {
          if (few % members == 0) {
            grouped(heads, keys, each);
          } else if (members % few == 0 && runs.get(keys).isOne() && runs.get(heads).isOne()) {
            var only = new Runs.Run(few, 1, members / few);
            put(keys, runs.get(keys).and(Runs.of(only)));
          } else {
            keepWhole(keys, "%d heads of keys do not cut in %d".formatted(few, members));
          }
        }
      }
    }

    @Override
    public void aligned(Value value, int unit) {
      if (!isWhole(value)) put(value, runs.get(value).aligned(unit));
    }

    @Override
    public void whole(Value value, String why) {}
  }

  private void requirePieces(Value value) {
    if (!isCut(value)) return;
    runs.get(value).hindrance(members).ifPresent(why -> keepWhole(value, why));
    if (graph.outputs().containsValue(value) && !isPlain(value)) {
      keepWhole(value, "its parts do not lie side by side");
    }
  }

  private boolean isPlain(Value output) {
    var cut = runs.get(output);
    return output.type().rank() == 2 && cut.isOne() && !cut.isShared();
  }

  /**
   * What neighbours share they may use, but not project back: all members' projections are added
   * up. Where each head of keys comes with those that use it, as a group of one projection's rows,
   * members that share the one share the others.
   */
  private void requireSumsOfEachOnce(Value value) {
    if (value.op() instanceof Op.Linear(var x, _) && isCut(x) && runs.get(x).isShared()) {
      keepWhole(x, "it comes in groups with heads of keys, which do not cut in " + members);
    }
  }

  /** In order, for what is left whole here may be read by the next. */
  private void requireWholeRows(Value value) {
    if (isCut(value) && value.op() instanceof Op.Linear(var x, _) && isCut(x)) {
      keepWhole(value, "what it reads is cut");
    }
  }
}
