package weft.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Operand.View;
import weft.lir.Program;

/**
 * Puts a legal graph in order: leaves become operands, renamings become views, everything else a
 * launch; what depends on weights alone runs once, at load.
 */
final class Schedule {
  private final Map<Value, Operand> places = new HashMap<>();
  private final Map<Value, Boolean> fixed = new HashMap<>();
  private final List<Type> buffers = new ArrayList<>();
  private final List<Launch> setup = new ArrayList<>();
  private final List<Launch> steps = new ArrayList<>();

  private final Map<String, View> inputs = new LinkedHashMap<>();

  private Schedule() {}

  static Program of(Graph graph, Bounds bounds, int alignment) {
    var schedule = new Schedule();
    graph.values().forEach(schedule::place);
    var outputs = new LinkedHashMap<String, View>();
    graph.outputs().forEach((name, value) -> outputs.put(name, schedule.viewed(value)));
    var plan = new BufferPlan(schedule.buffers, bounds, alignment);
    return new Program(
        bounds,
        alignment,
        plan.regions(schedule.inputs.values(), schedule.setup, schedule.steps, outputs.values()),
        schedule.inputs,
        schedule.setup,
        schedule.steps,
        graph.slots(),
        outputs);
  }

  private void place(Value value) {
    var op = value.op();
    fixed.put(value, isFixed(op));
    var place =
        switch (op) {
          case Op.Input(var name, var type) when type.dtype().isNumber() -> brought(name, type);
          case Op.Input(var name, var type) -> new Operand.Input(name, type);
          case Op.Weight(var name, var type) -> new Operand.Weight(name, type);
          case Op.Constant(var values) -> new Operand.Constant(values, value.type());
          case Op.Renaming renaming ->
              renamed(renaming, value.type()).orElseGet(() -> launch(value));
          default -> launch(value);
        };
    places.put(value, place);
  }

  /** Whether an op depends on weights and constants alone. */
  private boolean isFixed(Op op) {
    return switch (op) {
      case Op.Input _, Op.Stateful _ -> false;
      default -> op.inputs().stream().allMatch(fixed::get);
    };
  }

  /** Rows of numbers get a buffer, so that they are to kernels what any other value is. */
  private Operand brought(String name, Type type) {
    return inputs.computeIfAbsent(
        name,
        n -> {
          buffers.add(type);
          return View.whole(buffers.size() - 1, type);
        });
  }

  private Operand launch(Value value) {
    var operands = new ArrayList<Operand>();
    var op =
        value
            .op()
            .map(
                input -> {
                  operands.add(places.get(input));
                  return Launch.formal(operands.size() - 1, input.type());
                });
    buffers.add(value.type());
    var result = View.whole(buffers.size() - 1, value.type());
    (fixed.get(value) ? setup : steps).add(new Launch(op, operands, result));
    return result;
  }

  /** The same elements under another shape, where strides can say it. */
  private Optional<Operand> renamed(Op.Renaming op, Type type) {
    if (!(places.get(op.x()) instanceof View view)) return Optional.empty();
    var strides = new ArrayList<>(view.strides());
    int last = strides.getLast();
    return switch (op) {
      case Op.Heads _ -> {
        strides.set(strides.size() - 1, type.width() * last);
        strides.add(last);
        yield Optional.of(new View(view.buffer(), view.offset(), strides, type));
      }
      case Op.Slice(_, var from, _) ->
          Optional.of(new View(view.buffer(), view.offset() + from * last, strides, type));
      case Op.Merge(var x) -> {
        if (strides.get(strides.size() - 2) != x.type().width() * last) yield Optional.empty();
        strides.removeLast();
        strides.set(strides.size() - 1, last);
        yield Optional.of(new View(view.buffer(), view.offset(), strides, type));
      }
    };
  }

  private View viewed(Value output) {
    if (places.get(output) instanceof View view) return view;
    throw new CompileException(
        "output " + output + " is " + output.op().mnemonic() + ", which nothing computes");
  }
}
