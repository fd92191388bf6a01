package weft.load;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.State;
import weft.backend.Step;
import weft.generate.Album;
import weft.lir.Bounds;

/** Runs a text from its beginning with the rows of some points of the model kept. */
final class LayerProbe {
  /** Every layer's rows are kept at once, so fewer of them. */
  private static final int CHUNK = 128;

  private final Device device;
  private final Plan plan;
  private final ProgramLoader loader;
  private final Executables executables;

  LayerProbe(Device device, Plan plan, ProgramLoader loader, Executables executables) {
    this.device = device;
    this.plan = plan;
    this.loader = loader;
    this.executables = executables;
  }

  /** The rows that a text has at a point; {@code between} is called before each step. */
  float[][] hidden(String point, int[] tokens, Runnable between) {
    if (!plan.points().contains(point)) {
      throw new LoadException(
          "the model has no point " + point + "; there are " + String.join(", ", plan.points()));
    }
    requireFits(tokens);
    var rows = new float[tokens.length][];
    var most = plan.limits().get(Phase.PREFILL);
    var step = new Bounds(Math.min(most.tokens(), tokens.length), 1);
    var executable = executables.forStep(Phase.PREFILL, step, Set.of(point));
    run(executable, tokens, between, (name, row, values) -> rows[row] = values);
    return rows;
  }

  private void requireFits(int[] tokens) {
    if (tokens.length == 0 || tokens.length > plan.context()) {
      throw new LoadException(
          "a text of %d tokens, but the context holds 1 to %d"
              .formatted(tokens.length, plan.context()));
    }
    if (Arrays.stream(tokens).anyMatch(Album::isRow)) {
      throw new LoadException("layers are looked at on texts of tokens alone, without pictures");
    }
  }

  /** What leaves each layer, all rows of the text together. */
  List<LayerReport> layers(int[] tokens) {
    requireFits(tokens);
    var reports = new LinkedHashMap<String, LayerReport>();
    var bounds = new Bounds(Math.min(CHUNK, tokens.length), 1);
    var points = new LinkedHashSet<>(plan.points());
    try (var executable = loader.load(Phase.PREFILL, bounds, points)) {
      run(
          executable,
          tokens,
          () -> {},
          (name, row, values) ->
              reports.merge(name, LayerReport.of(label(name), values), LayerReport::and));
    }
    return List.copyOf(reports.values());
  }

  private static String label(String point) {
    return switch (point) {
      case "embedding" -> "the embedding";
      case "final" -> "the final norm";
      default -> point.replace('.', ' ');
    };
  }

  /** Gets one row of a point. */
  @FunctionalInterface
  private interface Sink {
    void row(String point, int row, float[] values);
  }

  private void run(Executable executable, int[] tokens, Runnable between, Sink sink) {
    var program = executable.program();
    int chunk = program.bounds().tokens();
    try (var state = device.state(plan.slots())) {
      for (int from = 0; from < tokens.length; from += chunk) {
        between.run();
        int n = Math.min(chunk, tokens.length - from);
        executable.run(step(tokens, from, n, state), Executable.Observer.NONE);
        for (var output : program.outputs().entrySet()) {
          for (int i = 0; i < n; i++) {
            var row = new float[output.getValue().type().rowElements()];
            executable.read(output.getKey(), i, row);
            sink.row(output.getKey(), from + i, row);
          }
        }
      }
    }
  }

  private static Step step(int[] tokens, int from, int n, State state) {
    var positions = new int[n];
    for (int i = 0; i < n; i++) positions[i] = from + i;
    return new Step(
        Arrays.copyOfRange(tokens, from, from + n),
        positions,
        new int[0],
        List.of(new Step.Part(state, n)));
  }
}
