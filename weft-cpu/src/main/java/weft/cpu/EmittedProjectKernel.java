package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import weft.backend.Service;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.kernel.Activations;
import weft.cpu.kernel.FinishArguments;
import weft.cpu.kernel.Kernel;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.MatMulArguments;
import weft.cpu.kernel.QuantizeArguments;
import weft.cpu.kernel.RowNorm;
import weft.cpu.kernel.RowNormArguments;
import weft.ir.Fn;

/**
 * Projections by emitted code. The rows are normalized and made bytes once, by whichever worker has
 * them; then each worker meets its share of the packed weight rows and finishes its own outputs.
 * Several rows of an encoding that has no matrix-matrix kernel go the portable way.
 */
final class EmittedProjectKernel implements BoundKernel {
  /**
   * A weight, the kernels that multiply it with one row and with several, and the place of its
   * outputs among all outputs.
   */
  record Part(
      Weights.Tensor weight,
      Kernel product,
      Optional<Kernel> products,
      MemorySegment bias,
      MemorySegment zeros,
      int column) {
    int outputs() {
      return Math.toIntExact(weight.rows());
    }

    /** Whether the kernel takes the row as floats; block formats take it as bytes. */
    boolean takesFloats() {
      return weight.encoding().blockValues() == 1;
    }
  }

  /** What comes before the products: nothing, or a norm by this weight. */
  sealed interface Before {
    record Nothing() implements Before {}

    record Norm(Kernel kernel, MemorySegment weight, float eps) implements Before {}
  }

  /** What comes after them. */
  sealed interface After {
    /** The products are the results. */
    record Nothing() implements After {}

    record Add(Kernel kernel, Optional<Rows2d> residual) implements After {}

    record Gate(Kernel kernel) implements After {}
  }

  /** Activations as bytes come in blocks of this many; rows of floats alone need not. */
  private static final int BLOCK = 32;

  private final ProjectKernel portable;
  private final Rows2d x;
  private final Before before;
  private final List<Part> parts;
  private final After after;
  private final Rows2d result;
  private final Kernel quantize;
  private final boolean makesBytes;
  private final Activations layout;
  private final SharedScratch scratch;
  private final int columns;

  private EmittedProjectKernel(
      ProjectKernel portable,
      Before before,
      List<Part> parts,
      After after,
      Kernel quantize,
      SharedScratch scratch) {
    this.portable = portable;
    this.x = portable.x();
    this.before = before;
    this.parts = List.copyOf(parts);
    this.after = after;
    this.result = portable.result();
    this.quantize = quantize;
    this.makesBytes = parts.stream().anyMatch(p -> !p.takesFloats());
    this.layout = new Activations((x.width() + BLOCK - 1) / BLOCK * BLOCK);
    this.scratch = scratch;
    this.columns = parts.stream().mapToInt(Part::outputs).sum();
  }

  /** The emitted form of a projection, where every piece of it has one. */
  static Optional<BoundKernel> of(
      KernelLibrary library, ProjectKernel portable, SharedScratch scratch) {
    var parts = new ArrayList<Part>();
    for (var part : portable.parts()) {
      var product = library.matVec(part.weight().encoding());
      if (product.isEmpty()) return Optional.empty();
      var bias = part.bias().length == 0 ? new float[part.outputs()] : part.bias();
      parts.add(
          new Part(
              part.weight(),
              product.get(),
              library.matMul(part.weight().encoding()),
              scratch.constant(bias),
              scratch.constant(new float[part.outputs()]),
              part.column()));
    }
    var before = before(library, portable, scratch);
    var after = after(library, portable);
    if (before.isEmpty() || after.isEmpty()) return Optional.empty();
    return Optional.of(
        new EmittedProjectKernel(
            portable, before.get(), parts, after.get(), library.quantize(), scratch));
  }

  private static Optional<Before> before(
      KernelLibrary library, ProjectKernel portable, SharedScratch scratch) {
    var norm = portable.norm();
    if (norm.isNone()) return Optional.of(new Before.Nothing());
    if (portable.x().width() % RowNorm.MULTIPLE != 0) return Optional.empty();
    return Optional.of(
        new Before.Norm(library.rowNorm(), scratch.constant(norm.weight()), norm.eps()));
  }

  private static Optional<After> after(KernelLibrary library, ProjectKernel portable) {
    boolean isWhole =
        portable.parts().stream().allMatch(p -> p.outputs() % FinishArguments.MULTIPLE == 0);
    boolean isBiased = portable.parts().stream().anyMatch(p -> p.bias().length > 0);
    return switch (portable.after()) {
      case ProjectKernel.After.Nothing() when !isBiased -> Optional.of(new After.Nothing());
      case ProjectKernel.After.Nothing() when isWhole ->
          Optional.of(new After.Add(library.finishAdd(), Optional.empty()));
      case ProjectKernel.After.Add(var residual) when isWhole ->
          Optional.of(new After.Add(library.finishAdd(), Optional.of(residual)));
      case ProjectKernel.After.Gate(Fn fn) when isWhole ->
          library.finishGate(fn).map(After.Gate::new);
      case ProjectKernel.After _ -> Optional.empty();
    };
  }

  @Override
  public Service service() {
    return new Service(Service.Kind.EMITTED, name());
  }

  @Override
  public String name() {
    return parts.stream().map(p -> p.product.name()).distinct().collect(Collectors.joining(", "));
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
    // The middle of a prompt wants no logits, and emitted loops run at least once.
    if (rows == 0) return;
    boolean isEmitted = rows == 1 || parts.stream().allMatch(p -> p.products.isPresent());
    if (phase == 0) {
      if (isEmitted) prepare(worker.from(rows), worker.to(rows), worker);
    } else if (isEmitted) {
      multiply(rows, worker);
    } else {
      portable.run(step, 0, worker);
    }
  }

  private void prepare(int from, int to, Worker worker) {
    if (before instanceof Before.Norm(var kernel, var weight, float eps)) {
      var block = worker.block(RowNormArguments.BYTES);
      var memory = x.memory().asSlice(x.at(0, 0));
      new RowNormArguments(
              memory, x.rowBytes(), weight, x.width(), eps, scratch.floats(), packedRow())
          .write(block);
      kernel.run(block, from, to, MemorySegment.NULL);
    }
    if (makesBytes) {
      var block = worker.block(QuantizeArguments.BYTES);
      new QuantizeArguments(floats(0), floatBytes(), layout, scratch.bytes()).write(block);
      quantize.run(block, from, to, MemorySegment.NULL);
    }
  }

  private long packedRow() {
    return (long) x.width() * Float.BYTES;
  }

  /** A row of floats as the products want it: normalized, or as it came. */
  private MemorySegment floats(int row) {
    return switch (before) {
      case Before.Nothing() -> x.memory().asSlice(x.at(row, 0));
      case Before.Norm _ -> scratch.floats().asSlice(row * packedRow());
    };
  }

  private long floatBytes() {
    return switch (before) {
      case Before.Nothing() -> x.rowBytes();
      case Before.Norm _ -> packedRow();
    };
  }

  private void multiply(int rows, Worker worker) {
    for (var part : parts) {
      var block = worker.block(MatMulArguments.BYTES);
      new MatMulArguments(
              part.weight.parts().getFirst(),
              part.weight.rowBytes(),
              x.width(),
              part.takesFloats() ? floats(0) : scratch.bytes(),
              part.takesFloats() ? floatBytes() : layout.rowBytes(),
              rows,
              products(part, 0),
              after instanceof After.Nothing ? result.rowBytes() : productBytes())
          .write(block);
      var kernel = rows == 1 ? part.product : part.products.orElseThrow();
      kernel.run(
          block,
          from(part, worker),
          to(part, worker),
          worker.nativeScratch(KernelLibrary.SCRATCH_BYTES));
    }
    finish(rows, worker);
  }

  private long productBytes() {
    return (long) columns * Float.BYTES;
  }

  /** Shares are cut at whole vectors, so that a worker can finish what it has multiplied. */
  private static int from(Part part, Worker worker) {
    return worker.from(part.outputs() / FinishArguments.MULTIPLE) * FinishArguments.MULTIPLE;
  }

  private static int to(Part part, Worker worker) {
    int whole = part.outputs() / FinishArguments.MULTIPLE;
    return worker.to(whole) == whole ? part.outputs() : worker.to(whole) * FinishArguments.MULTIPLE;
  }

  private MemorySegment products(Part part, int row) {
    return after instanceof After.Nothing
        ? result.memory().asSlice(result.at(row, part.column))
        : scratch.products().asSlice(((long) row * columns + part.column) * Float.BYTES);
  }

  private void finish(int rows, Worker worker) {
    var block = worker.block(FinishArguments.BYTES);
    switch (after) {
      case After.Nothing() -> {}
      case After.Gate(var kernel) -> {
        var gate = parts.get(0);
        var up = parts.get(1);
        new FinishArguments(
                products(gate, 0),
                productBytes(),
                gate.bias,
                products(up, 0),
                productBytes(),
                up.bias,
                result.memory().asSlice(result.at(0, 0)),
                result.rowBytes(),
                rows)
            .write(block);
        kernel.run(block, from(gate, worker), to(gate, worker), MemorySegment.NULL);
      }
      case After.Add(var kernel, var residual) -> {
        for (var part : parts) {
          var added =
              residual.isPresent()
                  ? residual.get().memory().asSlice(residual.get().at(0, part.column))
                  : part.zeros;
          new FinishArguments(
                  products(part, 0),
                  productBytes(),
                  part.bias,
                  added,
                  residual.map(Rows2d::rowBytes).orElse(0L),
                  MemorySegment.NULL,
                  result.memory().asSlice(result.at(0, part.column)),
                  result.rowBytes(),
                  rows)
              .write(block);
          kernel.run(block, from(part, worker), to(part, worker), MemorySegment.NULL);
        }
      }
    }
  }
}
