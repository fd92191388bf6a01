package weft.ir;

import java.util.HashMap;
import java.util.function.Supplier;

/** Says whether a graph is legal: run on every graph that is built, parsed or rewritten. */
public final class Verifier {
  private Verifier() {}

  public static Graph verify(Graph graph) {
    var slots = new HashMap<String, Value>();
    for (int i = 0; i < graph.values().size(); i++) {
      var value = graph.values().get(i);
      int place = i;
      check(value.id() == i, value, () -> "stands at place " + place);
      for (var input : value.op().inputs()) {
        check(input.id() < i, value, () -> "uses " + input + ", which does not come before it");
        check(
            graph.values().get(input.id()) == input,
            value,
            () -> "uses a " + input + " of another graph");
      }
      var type = value.op().infer();
      check(
          type.equals(value.type()),
          value,
          () -> "is typed " + value.type() + " but infers " + type);
      if (value.op() instanceof Op.Stateful s) {
        var other = slots.putIfAbsent(s.slot().name(), value);
        check(
            other == null
                || s.slot().isShared() && ((Op.Stateful) other.op()).slot().equals(s.slot()),
            value,
            () -> "writes slot " + s.slot().name() + ", which " + other + " writes");
      }
    }
    graph
        .outputs()
        .forEach(
            (name, value) ->
                check(
                    value.id() < graph.values().size() && graph.values().get(value.id()) == value,
                    value,
                    () -> "is output " + name + " but not of this graph"));
    return graph;
  }

  private static void check(boolean holds, Value value, Supplier<String> complaint) {
    if (!holds) {
      throw new IrException(value + " = " + value.op().mnemonic() + " " + complaint.get());
    }
  }
}
