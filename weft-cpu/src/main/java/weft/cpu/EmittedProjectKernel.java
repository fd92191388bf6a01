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

    /** How it takes them as bytes. */
    Activations form() {
      return Activations.of(weight.encoding(), weight.columns());
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

  /** The products of a piece, of all workers: 128 KiB of them for each of two. */
  private static final int PIECE = 1 << 16;

  private final KernelLibrary library;
  private final Rows2d x;
  private final Before before;
  private final List<Part> parts;
  private final After after;
  private final Rows2d result;

  /** The forms of the rows as bytes that weights want, one behind the other in the scratch. */
  private final List<Activations> forms;

  private final SharedScratch scratch;
  private final int columns;
  private int lastRows = 1;

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
    this.forms = parts.stream().filter(p -> !p.takesFloats()).map(Part::form).distinct().toList();
    this.scratch = scratch;
    this.columns = parts.stream().mapToInt(Part::outputs).sum();
  }

  /** The emitted form of a projection, where every piece of it has one. */
  static Optional<BoundKernel> of(
      KernelLibrary library, ProjectKernel portable, SharedScratch scratch) {
    var parts = new ArrayList<Part>();
    for (var part : portable.parts()) {
      if (!library.multiplies(part.weight().encoding())) return Optional.empty();
      var zeros = scratch.zeros(part.outputs());
      var bias = part.bias().length == 0 ? zeros : scratch.constant(part.bias());
      parts.add(new Part(part.weight(), bias, zeros, part.column()));
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

  /** By the kernels of the last step, or of a single row before the first. */
  @Override
  public String name() {
    return parts.stream()
        .map(p -> library.product(p.weight.encoding(), lastRows, x.width()).name())
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
    long bytes = forms.stream().mapToLong(form -> form.bytes(rows)).sum();
    scratch.reserve(
        bytes,
        before instanceof Before.Norm ? (long) rows * x.width() : 0,
        after instanceof After.Nothing ? 0 : (long) rows * columns);
  }

  @Override
  public void record(Step step, CallList calls) {
    int rows = x.count(step);
    // The middle of a prompt wants no logits, and emitted loops run at least once.
    if (rows == 0) return;
    lastRows = rows;
    prepare(rows, calls);
    switch (after) {
      case After.Nothing() -> {
        for (var part : parts) inPieces(1, List.of(product(part, rows, calls)), calls);
      }
      case After.Add add -> {
        for (var part : parts) {
          var products = product(part, rows, calls);
          inPieces(pieces(part, rows), List.of(products, added(add, part, rows, calls)), calls);
        }
      }
      case After.Gate(var kernel) -> {
        var gate = parts.get(0);
        var up = parts.get(1);
        inPieces(
            pieces(gate, rows),
            List.of(
                product(gate, rows, calls),
                product(up, rows, calls),
                gated(kernel, gate, up, rows, calls)),
            calls);
      }
    }
  }

  /** A call over outputs. */
  private record Call(Kernel kernel, MemorySegment block, int outputs) {}

  /**
   * How many pieces a worker's outputs come in: what was multiplied is finished while it is in the
   * second-level cache.
   */
  private static int pieces(Part part, int rows) {
    return Math.max(1, (int) ((long) part.outputs() * rows / PIECE));
  }

  /**
   * Cut at whole vectors, so that a worker can finish what it has multiplied, and pieces at whole
   * panels.
   */
  private static void inPieces(int count, List<Call> together, CallList calls) {
    int multiple = count == 1 ? FinishArguments.MULTIPLE : MatMulArguments.MULTIPLE;
    for (int i = 0; i < count; i++) {
      var piece = new CallList.Piece(i, count);
      for (var call : together) {
        calls.call(call.kernel, call.block, call.outputs, multiple, piece);
      }
    }
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
    for (var form : forms) {
      var block = calls.arguments(QuantizeArguments.BYTES);
      new QuantizeArguments(floats(), floatBytes(), form, bytes(form, rows)).write(block);
      calls.call(library.quantize(form), block, rows);
    }
    if (!forms.isEmpty() || before instanceof Before.Norm) calls.meet();
  }

  private MemorySegment bytes(Activations form, int rows) {
    return scratch.bytes().asSlice(forms.indexOf(form) * form.bytes(rows));
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

  private Call product(Part part, int rows, CallList calls) {
    var block = calls.arguments(MatMulArguments.BYTES);
    new MatMulArguments(
            part.weight.parts().getFirst(),
            part.weight.rowBytes(),
            x.width(),
            part.takesFloats() ? floats() : bytes(part.form(), rows),
            part.takesFloats() ? floatBytes() : part.form().rowBytes(),
            rows,
            products(part),
            after instanceof After.Nothing ? result.rowBytes() : productBytes())
        .write(block);
    calls.needScratch(KernelLibrary.SCRATCH_BYTES);
    var kernel = library.product(part.weight.encoding(), rows, x.width());
    return new Call(kernel, block, part.outputs());
  }

  private long productBytes() {
    return (long) columns * Float.BYTES;
  }

  private MemorySegment products(Part part) {
    return after instanceof After.Nothing
        ? result.memory().asSlice(result.at(0, part.column))
        : scratch.products().asSlice((long) part.column * Float.BYTES);
  }

  private Call added(After.Add add, Part part, int rows, CallList calls) {
    var residual = add.residual;
    var added = residual.map(r -> r.memory().asSlice(r.at(0, part.column))).orElse(part.zeros);
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
    return new Call(add.kernel, block, part.outputs());
  }

  private Call gated(Kernel kernel, Part gate, Part up, int rows, CallList calls) {
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
    return new Call(kernel, block, gate.outputs());
  }
}
