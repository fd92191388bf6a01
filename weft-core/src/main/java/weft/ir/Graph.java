package weft.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An immutable list of values in dependency order, a value's id being its place, and named outputs.
 */
public record Graph(List<Value> values, Map<String, Value> outputs) {
  public Graph {
    values = List.copyOf(values);
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
  }

  public Value output(String name) {
    var value = outputs.get(name);
    if (value == null) {
      throw new IrException("no output " + name + "; the graph has " + outputs.keySet());
    }
    return value;
  }

  /** The same values, of which only these are outputs; what nobody needs then is dead. */
  public Graph keeping(Set<String> names) {
    var kept = new LinkedHashMap<String, Value>();
    names.forEach(this::output);
    outputs.forEach(
        (name, value) -> {
          if (names.contains(name)) kept.put(name, value);
        });
    return new Graph(values, kept);
  }

  /** The slots of the graph's state ops, each once, in order. */
  public List<Slot> slots() {
    return values.stream()
        .filter(v -> v.op() instanceof Op.Stateful)
        .map(v -> ((Op.Stateful) v.op()).slot())
        .distinct()
        .toList();
  }

  /** Two graphs are equal when they say the same, op by op; values alone compare by id. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Graph g
        && ops().equals(g.ops())
        && List.copyOf(outputs.entrySet()).equals(List.copyOf(g.outputs.entrySet()));
  }

  @Override
  public int hashCode() {
    return ops().hashCode();
  }

  private List<Op> ops() {
    return values.stream().map(Value::op).toList();
  }

  @Override
  public String toString() {
    return GraphText.print(this);
  }

  /** A graph under construction. */
  public static final class Builder {
    private final List<Value> values = new ArrayList<>();
    private final Map<String, Value> outputs = new LinkedHashMap<>();

    /**
     * Appends an op; its type is inferred now, so that an error points at the line that made it.
     */
    public Value add(Op op) {
      var value = new Value(values.size(), op, op.infer());
      values.add(value);
      return value;
    }

    public void output(String name, Value value) {
      if (outputs.put(name, value) != null) throw new IrException("two outputs named " + name);
    }

    public Graph build() {
      return new Graph(values, outputs);
    }
  }
}
