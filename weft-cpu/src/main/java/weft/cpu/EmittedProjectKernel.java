package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.kernel.Activations;
import weft.cpu.kernel.Kernel;
import weft.cpu.kernel.MatMulArguments;
import weft.cpu.kernel.QuantizeArguments;

/**
 * Projections by emitted code. The rows are normalized and made bytes once, by whichever worker has
 * them; then each worker meets its share of the packed weight rows and finishes its own outputs.
 */
final class EmittedProjectKernel implements BoundKernel {
  /** A weight, the kernels that multiply it, and the place of its outputs among all outputs. */
  record Part(Weights.Tensor weight, Kernel product, float[] bias, int column) {
    int outputs() {
      return Math.toIntExact(weight.rows());
    }

    /** Whether the kernel takes the row as floats; block formats take it as bytes. */
    boolean takesFloats() {
      return weight.encoding().blockValues() == 1;
    }
  }

  /** Activations as bytes come in blocks of this many; rows of floats alone need not. */
  private static final int BLOCK = 32;

  private final Rows2d x;
  private final ProjectKernel.Norm norm;
  private final List<Part> parts;
  private final ProjectKernel.After after;
  private final Rows2d result;
  private final Kernel quantize;
  private final boolean makesBytes;
  private final Activations layout;
  private final SharedScratch scratch;
  private final int columns;

  EmittedProjectKernel(
      Rows2d x,
      ProjectKernel.Norm norm,
      List<Part> parts,
      ProjectKernel.After after,
      Rows2d result,
      Kernel quantize,
      SharedScratch scratch) {
    this.x = x;
    this.norm = norm;
    this.parts = List.copyOf(parts);
    this.after = after;
    this.result = result;
    this.quantize = quantize;
    this.makesBytes = parts.stream().anyMatch(p -> !p.takesFloats());
    this.layout = new Activations((x.width() + BLOCK - 1) / BLOCK * BLOCK);
    this.scratch = scratch;
    this.columns = parts.stream().mapToInt(Part::outputs).sum();
  }

  @Override
  public String name() {
    return "emitted " + parts.stream().map(p -> p.product.name()).distinct().toList();
  }

  @Override
  public int phases() {
    return 2;
  }

  @Override
  public void begin(Step step) {
    int rows = x.count(step);
    scratch.reserve(layout.bytes(rows), (long) rows * x.width(), (long) rows * columns);
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    int rows = x.count(step);
    if (phase == 0) toBytes(rows, worker);
    else multiply(rows, worker);
  }

  private void toBytes(int rows, Worker worker) {
    int n = x.width();
    var from = scratch.floats();
    for (int row = worker.from(rows); row < worker.to(rows); row++) {
      var values = worker.scratch(n);
      x.read(row, 0, values, 0, n);
      if (!norm.isNone()) {
        float scale = Norms.inverseRms(values, 0, n, norm.eps());
        for (int i = 0; i < n; i++) values[i] = values[i] * scale * norm.weight()[i];
      }
      MemorySegment.copy(values, 0, from, Rows2d.FLOAT, (long) row * n * Float.BYTES, n);
    }
    if (!makesBytes) return;
    var block = worker.block(QuantizeArguments.BYTES);
    new QuantizeArguments(from, (long) n * Float.BYTES, layout, scratch.bytes()).write(block);
    quantize.run(block, worker.from(rows), worker.to(rows), MemorySegment.NULL);
  }

  private void multiply(int rows, Worker worker) {
    var products = scratch.products();
    for (var part : parts) {
      int from = worker.from(part.outputs());
      int to = worker.to(part.outputs());
      var block = worker.block(MatMulArguments.BYTES);
      for (int row = 0; row < rows; row++) {
        long at = ((long) row * columns + part.column) * Float.BYTES;
        new MatMulArguments(
                part.weight.parts().getFirst(),
                part.weight.rowBytes(),
                x.width(),
                activations(part, row),
                0,
                1,
                products.asSlice(at),
                (long) columns * Float.BYTES)
            .write(block);
        part.product.run(block, from, to, MemorySegment.NULL);
      }
    }
    for (int row = 0; row < rows; row++) finish(products, row, worker);
  }

  private MemorySegment activations(Part part, int row) {
    return part.takesFloats()
        ? scratch.floats().asSlice((long) row * x.width() * Float.BYTES)
        : scratch.bytes().asSlice(row * layout.rowBytes());
  }

  private void finish(MemorySegment products, int row, Worker worker) {
    if (after instanceof ProjectKernel.After.Gate(var fn)) {
      var gate = parts.get(0);
      int from = worker.from(gate.outputs());
      int n = worker.to(gate.outputs()) - from;
      var values = worker.scratch(2 * n);
      load(products, row, gate, from, n, values, 0);
      load(products, row, parts.get(1), from, n, values, n);
      VectorMath.map(fn, values, 0, n);
      for (int i = 0; i < n; i++) values[i] *= values[n + i];
      result.write(row, from, values, 0, n);
      return;
    }
    for (var part : parts) {
      int from = worker.from(part.outputs());
      int n = worker.to(part.outputs()) - from;
      var values = worker.scratch(2 * n);
      load(products, row, part, from, n, values, 0);
      if (after instanceof ProjectKernel.After.Add(var residual)) {
        residual.read(row, part.column + from, values, n, n);
        for (int i = 0; i < n; i++) values[i] += values[n + i];
      }
      result.write(row, part.column + from, values, 0, n);
    }
  }

  private void load(
      MemorySegment products, int row, Part part, int from, int n, float[] to, int at) {
    long offset = ((long) row * columns + part.column + from) * Float.BYTES;
    MemorySegment.copy(products, Rows2d.FLOAT, offset, to, at, n);
    if (part.bias.length > 0) {
      for (int i = 0; i < n; i++) to[at + i] += part.bias[from + i];
    }
  }
}
