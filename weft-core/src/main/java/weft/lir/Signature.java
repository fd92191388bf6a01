package weft.lir;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;

/**
 * What a graph's program has whatever the passes made of it: its bounds, its state, its outputs and
 * the tensors it may read. A program that comes from elsewhere is compared with it.
 */
public record Signature(
    Bounds bounds, List<Slot> slots, Map<String, Type> outputs, Map<String, Type> tensors) {
  public Signature {
    slots = List.copyOf(slots);
    outputs = Map.copyOf(outputs);
    tensors = Map.copyOf(tensors);
  }

  public static Signature of(Graph graph, Bounds bounds) {
    var tensors = new LinkedHashMap<String, Type>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Weight(var name, var type)) tensors.put(name, type);
    }
    var outputs = new LinkedHashMap<String, Type>();
    graph.outputs().forEach((name, value) -> outputs.put(name, value.type()));
    return new Signature(bounds, graph.slots(), outputs, tensors);
  }

  /** Throws a {@link ProgramException} that says what a program has otherwise. */
  public void require(Program program) {
    program.requireRunnable();
    same("bounds", bounds, program.bounds());
    same("slots", slots, program.slots());
    var given = new LinkedHashMap<String, Type>();
    program.outputs().forEach((name, view) -> given.put(name, view.type()));
    same("outputs", outputs, given);
    Stream.concat(program.setup().stream(), program.steps().stream())
        .flatMap(launch -> launch.operands().stream())
        .forEach(this::requireKnown);
  }

  private void requireKnown(Operand operand) {
    if (operand instanceof Operand.Weight(var name, var type) && !type.equals(tensors.get(name))) {
      throw new ProgramException(
          "it reads tensor " + name + " " + type + ", which the model has not");
    }
  }

  private static void same(String what, Object expected, Object met) {
    if (!expected.equals(met)) {
      throw new ProgramException("its " + what + " are " + met + ", expected " + expected);
    }
  }
}
