package weft.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvLayout;
import weft.backend.State;
import weft.backend.Step;
import weft.compile.Pipeline;
import weft.lir.Bounds;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.Target;

/** Runs a row's script on a device and keeps all that comes out, step by step. */
final class Execution {
  private static final int WANTED = 2;

  private Execution() {}

  /** The rows of each output of each step. */
  static List<Map<String, float[][]>> of(Row row, Device device, Target target) {
    var script = row.script();
    var pipeline = Pipeline.of(target, row.stored(), Set.copyOf(Pipeline.fusions()));
    var bounds = new Bounds(script.largestStep(), Math.min(WANTED, script.largestStep()));
    var program = pipeline.compile(row.graph(), bounds);
    var states = new ArrayList<State>();
    try (var weights = device.prepare(row.tensors()::get);
        var executable = device.load(program, weights)) {
      for (int i = 0; i < script.sequences(); i++) states.add(device.state(program.slots()));
      var results = new ArrayList<Map<String, float[][]>>();
      for (var feeds : script.steps()) {
        var step = step(feeds, states, program);
        executable.run(step, Executable.Observer.NONE);
        results.add(outputs(executable, step));
        executable.rest();
      }
      return results;
    } finally {
      states.forEach(State::close);
    }
  }

  private static Step step(List<Script.Feed> feeds, List<State> states, Program program) {
    int rows = Script.rows(feeds);
    var tokens = new int[rows];
    int sections = sections(program);
    var positions = new int[rows * sections];
    var parts = new ArrayList<Step.Part>();
    int at = 0;
    for (var feed : feeds) {
      var state = states.get(feed.sequence());
      for (int i = 0; i < feed.rows(); i++, at++) {
        int position = state.position() + i;
        // Each section goes another way from the first on.
        for (int s = 0; s < sections; s++) positions[at * sections + s] = position * (s + 1) + s;
        tokens[at] = token(feed.sequence(), position);
      }
      parts.add(new Step.Part(state, feed.rows(), 0, feed.blocks(), Step.Origin.READ));
    }
    var step = new Step(tokens, positions, wanted(rows), parts);
    for (var input : program.inputs().entrySet()) {
      int width = input.getValue().type().rowElements();
      var values = new float[rows * width];
      for (int i = 0; i < values.length; i++) {
        values[i] = brought(input.getKey(), tokens[i / width], i % width);
      }
      step = step.withInput(input.getKey(), new Step.Rows(width, values));
    }
    return step;
  }

  /** How many positions a row has. */
  private static int sections(Program program) {
    return program.steps().stream()
        .flatMap(launch -> launch.operands().stream())
        .filter(o -> o instanceof Operand.Input input && input.name().equals("positions"))
        .mapToInt(o -> o.type().rowElements())
        .max()
        .orElse(1);
  }

  /** Numbers that are exact as bytes, like a rig's activations. */
  private static float brought(String input, int token, int column) {
    int mixed = (input.hashCode() + 31 * token + column) * 0x9E3779B1;
    int whole = column % 16 == 0 ? 127 : (mixed >>> 8) % 128;
    return (mixed < 0 ? whole : -whole) / 128f;
  }

  /**
   * Neither all rows nor in their order, and of some steps none: a prompt's middle has no logits.
   */
  private static int[] wanted(int rows) {
    if (rows == 1) return new int[] {0};
    return rows == 2 ? new int[0] : new int[] {rows - 1, 0};
  }

  /** No two pages of a sequence have the same tokens: one that is taken for another is seen. */
  private static int token(int sequence, int position) {
    int page = position / KvLayout.POSITIONS;
    return Math.floorMod(
        31 * sequence + 17 * position + position * position + 7 * page, Rig.VOCABULARY);
  }

  private static Map<String, float[][]> outputs(Executable executable, Step step) {
    var outputs = new LinkedHashMap<String, float[][]>();
    executable
        .program()
        .outputs()
        .forEach(
            (name, view) -> {
              var rows = new float[step.rows(view.type())][view.type().rowElements()];
              for (int i = 0; i < rows.length; i++) executable.read(name, i, rows[i]);
              outputs.put(name, rows);
            });
    return outputs;
  }
}
