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
 * What a graph's program has whatever the passes made of it: its bounds, its alignment, its state,
 * its outputs, and the rows and tensors it may read. A program that comes from elsewhere is
 * compared with it.
 */
public record Signature(
    Bounds bounds,
    int alignment,
    List<Slot> slots,
    Map<String, Type> inputs,
    Map<String, Type> outputs,
    Map<String, Type> tensors) {
  public Signature {
    inputs = Map.copyOf(inputs);
    slots = List.copyOf(slots);
    outputs = Map.copyOf(outputs);
    tensors = Map.copyOf(tensors);
  }

  public static Signature of(Graph graph, Bounds bounds, int alignment) {
    var tensors = new LinkedHashMap<String, Type>();
    var inputs = new LinkedHashMap<String, Type>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Weight(var name, var type)) tensors.put(name, type);
      if (value.op() instanceof Op.Input(var name, var type)) inputs.put(name, type);
    }
    var outputs = new LinkedHashMap<String, Type>();
    graph.outputs().forEach((name, value) -> outputs.put(name, value.type()));
    return new Signature(bounds, alignment, graph.slots(), inputs, outputs, tensors);
  }

  /** Throws a {@link ProgramException} that says what a program has otherwise. */
  public void require(Program program) {
    program.requireRunnable();
    same("bounds", bounds, program.bounds());
    same("alignment", alignment, program.alignment());
    same("slots", slots, program.slots());
    var given = new LinkedHashMap<String, Type>();
    program.outputs().forEach((name, view) -> given.put(name, view.type()));
    same("outputs", outputs, given);
    program.inputs().forEach(this::requireBrought);
    Stream.concat(program.setup().stream(), program.steps().stream())
        .flatMap(launch -> launch.operands().stream())
        .forEach(this::requireKnown);
  }

  private void requireBrought(String name, Operand.View view) {
    if (!view.type().equals(inputs.get(name))) {
      throw new ProgramException(
          "it takes rows " + name + " " + view.type() + ", which the model has not");
    }
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
