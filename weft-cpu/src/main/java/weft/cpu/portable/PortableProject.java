package weft.cpu.portable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Rows2d;
import weft.cpu.team.Worker;
import weft.ir.Fn;

/**
 * Projections of a few rows or many. One row: each worker normalizes it into its own memory and
 * meets its share of the packed weight rows. Several: weight rows are unpacked some at a time and
 * meet all rows while they are in cache; the norm's weight is folded into them, its scale into the
 * result.
 */
public final class PortableProject implements JavaLaunch {
  /** A weight with the place of its outputs among all outputs. */
  public record Part(Weights.Tensor weight, PackedRow rows, float[] bias, int column) {
    public int outputs() {
      return Math.toIntExact(weight.rows());
    }

    float biasOf(int output) {
      return bias.length == 0 ? 0 : bias[output];
    }
  }

  /** What comes before the products: nothing, or a norm by this weight. */
  public record Norm(float[] weight, float eps) {
    public static final Norm NONE = new Norm(new float[0], 0);

    public boolean isNone() {
      return weight.length == 0;
    }
  }

  /** What comes after: nothing, a residual to add, or a gate over two equal parts. */
  public sealed interface After {
    record Nothing() implements After {}

    record Add(Rows2d residual) implements After {}

    record Gate(Fn fn) implements After {}
  }

  /** Weight rows that are unpacked at once: 8192 values of each fill half of a usual L2 cache. */
  private static final int PANEL_ROWS = 16;

  private final Rows2d x;
  private final Norm norm;
  private final List<Part> parts;
  private final After after;
  private final Rows2d result;

  public PortableProject(Rows2d x, Norm norm, List<Part> parts, After after, Rows2d result) {
    this.x = x;
    this.norm = norm;
    this.parts = List.copyOf(parts);
    this.after = after;
    this.result = result;
  }

  public Rows2d x() {
    return x;
  }

  public Norm norm() {
    return norm;
  }

  public List<Part> parts() {
    return parts;
  }

  public After after() {
    return after;
  }

  public Rows2d result() {
    return result;
  }

  public static List<Part> parts(List<Weights.Tensor> weights, List<float[]> biases) {
    var parts = new ArrayList<Part>();
    int column = 0;
    for (int i = 0; i < weights.size(); i++) {
      var w = weights.get(i);
      var bias = biases.isEmpty() ? new float[0] : biases.get(i);
      parts.add(new Part(w, PackedRow.of(w.encoding()), bias, column));
      column += Math.toIntExact(w.rows());
    }
    return parts;
  }

  @Override
  public String name() {
    return "project "
        + parts.stream()
            .map(p -> p.weight.encoding().name())
            .distinct()
            .collect(Collectors.joining(", "));
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    int rows = x.count(step);
    if (rows == 1) one(worker);
    else many(rows, worker);
  }

  private void one(Worker worker) {
    int n = x.width();
    var row = worker.scratch(n);
    x.read(0, 0, row, 0, n);
    if (!norm.isNone()) {
      float scale = Norms.inverseRms(row, 0, n, norm.eps);
      for (int i = 0; i < n; i++) row[i] = row[i] * scale * norm.weight[i];
    }
    if (after instanceof After.Gate(var fn)) {
      var gate = parts.get(0);
      var up = parts.get(1);
      for (int j = worker.from(gate.outputs()); j < worker.to(gate.outputs()); j++) {
        result.set(0, j, fn.apply(product(gate, j, row, n)) * product(up, j, row, n));
      }
      return;
    }
    for (var part : parts) {
      for (int j = worker.from(part.outputs()); j < worker.to(part.outputs()); j++) {
        finish(0, part.column + j, product(part, j, row, n));
      }
    }
  }

  private static float product(Part part, int output, float[] row, int n) {
    var bytes = part.weight.parts().getFirst();
    return part.rows.dot(bytes, output * part.weight.rowBytes(), row, n) + part.biasOf(output);
  }

  private void finish(int row, int column, float value) {
    switch (after) {
      case After.Add(var residual) -> result.set(row, column, value + residual.get(row, column));
      case After.Nothing() -> result.set(row, column, value);
      case After.Gate _ -> throw new AssertionError("a gate is finished by its pair");
    }
  }

  private void many(int rows, Worker worker) {
    int n = x.width();
    var panel = worker.scratch(PANEL_ROWS * n);
    var tokens = new long[rows];
    Arrays.setAll(tokens, row -> x.at(row, 0));
    // A scale for each row, then the products of a panel, then those of one beside it.
    var floats = worker.more((1 + 2 * PANEL_ROWS) * rows);
    for (int row = 0; row < rows; row++) {
      floats[row] = norm.isNone() ? 1 : Norms.inverseRms(x, row, n, norm.eps);
    }
    for (var part : after instanceof After.Gate ? parts.subList(0, 1) : parts) {
      int to = worker.to(part.outputs());
      for (int j = worker.from(part.outputs()); j < to; j += PANEL_ROWS) {
        int height = Math.min(PANEL_ROWS, to - j);
        multiply(part, j, height, tokens, panel, floats, rows);
        finish(part.column + j, height, tokens, panel, floats);
        for (int row = 0; row < rows; row++) {
          result.write(row, part.column + j, floats, rows + row * height, height);
        }
      }
    }
  }

  /** What a panel of weight rows makes of each row: {@code floats[at + row * height + k]}. */
  private void multiply(
      Part part, int from, int height, long[] tokens, float[] panel, float[] floats, int at) {
    int n = x.width();
    unpack(part, from, height, panel, n);
    Tiles.products(x.memory(), tokens, panel, height, n, floats, at);
    for (int row = 0; row < tokens.length; row++) {
      for (int k = 0; k < height; k++) {
        int i = at + row * height + k;
        floats[i] = floats[i] * floats[row] + part.biasOf(from + k);
      }
    }
  }

  private void finish(int column, int height, long[] tokens, float[] panel, float[] floats) {
    int rows = tokens.length;
    switch (after) {
      case After.Nothing() -> {}
      case After.Add(var residual) -> {
        for (int row = 0; row < rows; row++) {
          for (int k = 0; k < height; k++) {
            floats[rows + row * height + k] += residual.get(row, column + k);
          }
        }
      }
      case After.Gate(var fn) -> {
        int beside = rows + PANEL_ROWS * rows;
        multiply(parts.get(1), column, height, tokens, panel, floats, beside);
        VectorMath.map(fn, floats, rows, height * rows);
        for (int i = 0; i < height * rows; i++) floats[rows + i] *= floats[beside + i];
      }
    }
  }

  private void unpack(Part part, int from, int height, float[] panel, int n) {
    var bytes = part.weight.parts().getFirst();
    for (int k = 0; k < height; k++) {
      part.rows.decode(bytes, (from + k) * part.weight.rowBytes(), panel, k * n, n);
      if (!norm.isNone()) {
        for (int i = 0; i < n; i++) panel[k * n + i] *= norm.weight[i];
      }
    }
  }
}
