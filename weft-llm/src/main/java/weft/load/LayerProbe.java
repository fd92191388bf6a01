package weft.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.PreparedWeights;
import weft.backend.Step;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.lir.Bounds;
import weft.lir.Stored;

/** Runs a text from its beginning with every layer's output kept, to see where it goes wrong. */
final class LayerProbe {
  private static final String TAP = "hidden.";
  private static final int CHUNK = 128;

  private final Supplier<Graph> tapped;
  private final Stored stored;

  /** {@code tapped} builds the model's graph with its taps open. */
  LayerProbe(Supplier<Graph> tapped, Stored stored) {
    this.tapped = tapped;
    this.stored = stored;
  }

  /** What leaves each layer, all rows of the text together. */
  List<LayerReport> layers(Device device, PreparedWeights weights, int[] tokens) {
    var reports = new LinkedHashMap<String, LayerReport>();
    hidden(
        device,
        weights,
        tokens,
        (name, rows, width, values) ->
            reports.merge(name, LayerReport.of(label(name), values), LayerReport::and));
    return List.copyOf(reports.values());
  }

  /** Tap n is what leaves layer n - 1, whose weights are called {@code blk.n-1}. */
  private static String label(String tap) {
    return switch (tap.substring(TAP.length())) {
      case "0" -> "the embedding";
      case "norm" -> "the final norm";
      case String number -> "layer " + (Integer.parseInt(number) - 1);
    };
  }

  /** Gets one tap's rows. */
  @FunctionalInterface
  interface Sink {
    void tap(String name, int rows, int width, float[] values);
  }

  void hidden(Device device, PreparedWeights weights, int[] tokens, Sink sink) {
    var graph = tapped.get();
    int chunk = Math.min(CHUNK, tokens.length);
    var program =
        Pipeline.of(device.target(), stored, Set.of()).compile(graph, new Bounds(chunk, 1));
    try (var executable = device.load(program, weights);
        var state = device.state(program.slots())) {
      for (int from = 0; from < tokens.length; from += chunk) {
        int n = Math.min(chunk, tokens.length - from);
        executable.run(step(tokens, from, n, state), Executable.Observer.NONE);
        for (var output : program.outputs().entrySet()) {
          if (!output.getKey().startsWith(TAP)) continue;
          int width = output.getValue().type().rowElements();
          var values = new float[n * width];
          var row = new float[width];
          for (int i = 0; i < n; i++) {
            executable.read(output.getKey(), i, row);
            System.arraycopy(row, 0, values, i * width, width);
          }
          sink.tap(output.getKey(), n, width, values);
        }
      }
    }
  }

  private static Step step(int[] tokens, int from, int n, weft.backend.State state) {
    var positions = new int[n];
    for (int i = 0; i < n; i++) positions[i] = from + i;
    return new Step(
        java.util.Arrays.copyOfRange(tokens, from, from + n),
        positions,
        new int[] {n - 1},
        List.of(new Step.Part(state, n)));
  }
}
