package weft.cpu.portable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import weft.backend.Step;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Projection;
import weft.cpu.launch.Projection.After;
import weft.cpu.launch.Projection.Norm;
import weft.cpu.launch.Projection.Part;
import weft.cpu.launch.Rows2d;
import weft.cpu.team.Worker;

/**
 * Projections of a few rows or many. One row: each worker normalizes it into its own memory and
 * meets its share of the packed weight rows. Several: weight rows are unpacked some at a time and
 * meet all rows while they are in cache; the norm's weight is folded into them, its scale into the
 * result.
 */
public final class PortableProject implements JavaLaunch {
  /** A part with what unpacks its rows. */
  private record Packed(Part part, PackedRow rows) {}

  /** Weight rows that are unpacked at once: 8192 values of each fill half of a usual L2 cache. */
  private static final int PANEL_ROWS = 16;

  private final Rows2d x;
  private final Norm norm;
  private final List<Packed> parts;
  private final After after;
  private final Rows2d result;

  public PortableProject(Projection projection) {
    this.x = projection.x();
    this.norm = projection.norm();
    this.parts =
        projection.parts().stream()
            .map(part -> new Packed(part, PackedRow.of(part.weight().encoding())))
            .toList();
    this.after = projection.after();
    this.result = projection.result();
  }

  @Override
  public String name() {
    return "project "
        + parts.stream()
            .map(p -> p.part.weight().encoding().name())
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
      float scale = Norms.inverseRms(row, 0, n, norm.eps());
      for (int i = 0; i < n; i++) row[i] = row[i] * scale * norm.weight()[i];
    }
    if (after instanceof After.Gate(var fn)) {
      var gate = parts.get(0);
      var up = parts.get(1);
      int outputs = gate.part.outputs();
      for (int j = worker.from(outputs); j < worker.to(outputs); j++) {
        result.set(0, j, fn.apply(product(gate, j, row, n)) * product(up, j, row, n));
      }
      return;
    }
    for (var packed : parts) {
      var part = packed.part;
      for (int j = worker.from(part.outputs()); j < worker.to(part.outputs()); j++) {
        finish(0, part.column() + j, product(packed, j, row, n));
      }
    }
  }

  private static float product(Packed packed, int output, float[] row, int n) {
    var weight = packed.part.weight();
    var bytes = weight.parts().getFirst();
    return packed.rows.dot(bytes, output * weight.rowBytes(), row, n) + packed.part.biasOf(output);
  }

  private void finish(int row, int column, float value) {
    switch (after) {
      case After.Add(var residual) -> result.set(row, column, value + residual.get(row, column));
      case After.Nothing() -> result.set(row, column, value);
      case After.Map(var fn) -> result.set(row, column, fn.apply(value));
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
      floats[row] = norm.isNone() ? 1 : Norms.inverseRms(x, row, n, norm.eps());
    }
    for (var packed : after instanceof After.Gate ? parts.subList(0, 1) : parts) {
      var part = packed.part;
      int to = worker.to(part.outputs());
      for (int j = worker.from(part.outputs()); j < to; j += PANEL_ROWS) {
        int height = Math.min(PANEL_ROWS, to - j);
        multiply(packed, j, height, tokens, panel, floats, rows);
        finish(part.column() + j, height, tokens, panel, floats);
        for (int row = 0; row < rows; row++) {
          result.write(row, part.column() + j, floats, rows + row * height, height);
        }
      }
    }
  }

  /** What a panel of weight rows makes of each row: {@code floats[at + row * height + k]}. */
  private void multiply(
      Packed packed, int from, int height, long[] tokens, float[] panel, float[] floats, int at) {
    int n = x.width();
    unpack(packed, from, height, panel, n);
    Tiles.products(x.memory(), tokens, panel, height, n, floats, at);
    for (int row = 0; row < tokens.length; row++) {
      for (int k = 0; k < height; k++) {
        int i = at + row * height + k;
        floats[i] = floats[i] * floats[row] + packed.part.biasOf(from + k);
      }
    }
  }

  private void finish(int column, int height, long[] tokens, float[] panel, float[] floats) {
    int rows = tokens.length;
    switch (after) {
      case After.Nothing() -> {}
      case After.Map(var fn) -> VectorMath.map(fn, floats, rows, height * rows);
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

  private void unpack(Packed packed, int from, int height, float[] panel, int n) {
    var weight = packed.part.weight();
    var bytes = weight.parts().getFirst();
    for (int k = 0; k < height; k++) {
      packed.rows.decode(bytes, (from + k) * weight.rowBytes(), panel, k * n, n);
      if (!norm.isNone()) {
        for (int i = 0; i < n; i++) panel[k * n + i] *= norm.weight()[i];
      }
    }
  }
}
