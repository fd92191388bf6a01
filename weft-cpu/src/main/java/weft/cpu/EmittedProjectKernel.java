package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.kernel.Activations;
import weft.cpu.kernel.CallList;
import weft.cpu.kernel.FinishArguments;
import weft.cpu.kernel.Kernel;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.MatMulArguments;
import weft.cpu.kernel.QuantizeArguments;
import weft.cpu.kernel.RowNormArguments;
import weft.ir.Fn;

/**
 * Projections by emitted code. The rows are normalized and made bytes once, by whichever worker has
 * them; then each worker meets its share of the packed weight rows and finishes its own outputs.
 */
final class EmittedProjectKernel implements EmittedKernel {
  /** A weight, its bias, and the place of its outputs among all outputs. */
  record Part(Weights.Tensor weight, MemorySegment bias, MemorySegment zeros, int column) {
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

  private final KernelLibrary library;
  private final Rows2d x;
  private final Before before;
  private final List<Part> parts;
  private final After after;
  private final Rows2d result;
  private final boolean makesBytes;
  private final Activations layout;
  private final SharedScratch scratch;
  private final int columns;

  private EmittedProjectKernel(
      KernelLibrary library,
      ProjectKernel portable,
      Before before,
      List<Part> parts,
      After after,
      SharedScratch scratch) {
    this.library = library;
    this.x = portable.x();
    this.before = before;
    this.parts = List.copyOf(parts);
    this.after = after;
    this.result = portable.result();
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
      if (!library.multiplies(part.weight().encoding())) return Optional.empty();
      var bias = part.bias().length == 0 ? new float[part.outputs()] : part.bias();
      parts.add(
          new Part(
              part.weight(),
              scratch.constant(bias),
              scratch.constant(new float[part.outputs()]),
              part.column()));
    }
    return Optional.of(
        new EmittedProjectKernel(
            library,
            portable,
            before(library, portable, scratch),
            parts,
            after(library, portable),
            scratch));
  }

  private static Before before(
      KernelLibrary library, ProjectKernel portable, SharedScratch scratch) {
    var norm = portable.norm();
    return norm.isNone()
        ? new Before.Nothing()
        : new Before.Norm(library.rowNorm(), scratch.constant(norm.weight()), norm.eps());
  }

  private static After after(KernelLibrary library, ProjectKernel portable) {
    boolean isBiased = portable.parts().stream().anyMatch(p -> p.bias().length > 0);
    return switch (portable.after()) {
      case ProjectKernel.After.Nothing() when !isBiased -> new After.Nothing();
      case ProjectKernel.After.Nothing() -> new After.Add(library.finishAdd(), Optional.empty());
      case ProjectKernel.After.Add(var residual) ->
          new After.Add(library.finishAdd(), Optional.of(residual));
      case ProjectKernel.After.Gate(Fn fn) -> new After.Gate(library.finishGate(fn));
    };
  }

  @Override
  public String name() {
    return parts.stream()
        .map(p -> library.product(p.weight.encoding(), 1, x.width()).name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  @Override
  public boolean isSteady() {
    return true;
  }

  @Override
  public void begin(Step step) {
    int rows = x.count(step);
    scratch.reserve(layout.bytes(rows), (long) rows * x.width(), (long) rows * columns);
  }

  @Override
  public void record(Step step, CallList calls) {
    int rows = x.count(step);
    // The middle of a prompt wants no logits, and emitted loops run at least once.
    if (rows == 0) return;
    prepare(rows, calls);
    for (var part : parts) multiply(part, rows, calls);
    finish(rows, calls);
  }

  private void prepare(int rows, CallList calls) {
    if (before instanceof Before.Norm(var kernel, var weight, float eps)) {
      var block = calls.arguments(RowNormArguments.BYTES);
      var memory = x.memory().asSlice(x.at(0, 0));
      new RowNormArguments(
              memory, x.rowBytes(), weight, x.width(), eps, scratch.floats(), packedRow())
          .write(block);
      calls.call(kernel, block, rows);
    }
    if (makesBytes) {
      var block = calls.arguments(QuantizeArguments.BYTES);
      new QuantizeArguments(floats(), floatBytes(), layout, scratch.bytes()).write(block);
      calls.call(library.quantize(), block, rows);
    }
    if (makesBytes || before instanceof Before.Norm) calls.meet();
  }

  private long packedRow() {
    return (long) x.width() * Float.BYTES;
  }

  /** The rows of floats as the products want them: normalized, or as they came. */
  private MemorySegment floats() {
    return switch (before) {
      case Before.Nothing() -> x.memory().asSlice(x.at(0, 0));
      case Before.Norm _ -> scratch.floats();
    };
  }

  private long floatBytes() {
    return switch (before) {
      case Before.Nothing() -> x.rowBytes();
      case Before.Norm _ -> packedRow();
    };
  }

  private void multiply(Part part, int rows, CallList calls) {
    var block = calls.arguments(MatMulArguments.BYTES);
    new MatMulArguments(
            part.weight.parts().getFirst(),
            part.weight.rowBytes(),
            x.width(),
            part.takesFloats() ? floats() : scratch.bytes(),
            part.takesFloats() ? floatBytes() : layout.rowBytes(),
            rows,
            products(part),
            after instanceof After.Nothing ? result.rowBytes() : productBytes())
        .write(block);
    calls.needScratch(KernelLibrary.SCRATCH_BYTES);
    share(library.product(part.weight.encoding(), rows, x.width()), block, part, calls);
  }

  /** Shares are cut at whole vectors, so that a worker can finish what it has multiplied. */
  private static void share(Kernel kernel, MemorySegment block, Part part, CallList calls) {
    calls.call(kernel, block, part.outputs(), FinishArguments.MULTIPLE);
  }

  private long productBytes() {
    return (long) columns * Float.BYTES;
  }

  private MemorySegment products(Part part) {
    return after instanceof After.Nothing
        ? result.memory().asSlice(result.at(0, part.column))
        : scratch.products().asSlice((long) part.column * Float.BYTES);
  }

  private void finish(int rows, CallList calls) {
    switch (after) {
      case After.Nothing() -> {}
      case After.Gate(var kernel) -> {
        var gate = parts.get(0);
        var up = parts.get(1);
        var block = calls.arguments(FinishArguments.BYTES);
        new FinishArguments(
                products(gate),
                productBytes(),
                gate.bias,
                products(up),
                productBytes(),
                up.bias,
                result.memory().asSlice(result.at(0, 0)),
                result.rowBytes(),
                rows)
            .write(block);
        share(kernel, block, gate, calls);
      }
      case After.Add(var kernel, var residual) -> {
        for (var part : parts) {
          var added =
              residual.isPresent()
                  ? residual.get().memory().asSlice(residual.get().at(0, part.column))
                  : part.zeros;
          var block = calls.arguments(FinishArguments.BYTES);
          new FinishArguments(
                  products(part),
                  productBytes(),
                  part.bias,
                  added,
                  residual.map(Rows2d::rowBytes).orElse(0L),
                  MemorySegment.NULL,
                  result.memory().asSlice(result.at(0, part.column)),
                  result.rowBytes(),
                  rows)
              .write(block);
          share(kernel, block, part, calls);
        }
      }
    }
  }
}
