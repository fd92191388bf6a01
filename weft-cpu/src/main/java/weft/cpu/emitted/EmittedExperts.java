package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.experts.ExpertProductsArguments;
import weft.cpu.kernel.experts.MixArguments;
import weft.cpu.kernel.experts.RouteArguments;
import weft.cpu.kernel.experts.RouteTables;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.FinishArguments;
import weft.cpu.kernel.product.QuantizeArguments;
import weft.cpu.kernel.rows.ElementwiseArguments;
import weft.cpu.kernel.rows.ElementwiseArguments.Source;
import weft.cpu.kernel.rows.Formula;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.Mixture;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.ir.Routing;

/**
 * A mixture of experts by emitted code. Rows are put in the order of the experts that they use, so
 * that each expert's packed weights are read once, for one row or for many, and no others are.
 */
public final class EmittedExperts implements EmittedLaunch {
  /** One of the three weights of all experts. */
  private record Bank(Weights.Tensor weight, MemorySegment addresses, MemorySegment kernels) {
    int rows() {
      return weight.type().dim(1).fixed();
    }

    int columns() {
      return weight.columns();
    }

    boolean takesFloats() {
      return weight.encoding().blockValues() == 1;
    }

    /** How the kernels take rows as bytes. */
    Activations form() {
      return Activations.of(weight.encoding(), columns());
    }

    /** From one row of activations to the next, in the form that the kernels take. */
    long rowBytes() {
      return takesFloats() ? 4L * columns() : form().rowBytes();
    }
  }

  private final KernelLibrary library;
  private final Routing routing;
  private final Bank gate;
  private final Bank up;
  private final Bank down;
  private final Kernel gating;
  private final Rows2d x;
  private final Rows2d scores;
  private final Rows2d result;
  private final SharedScratch scratch;
  private final RouteTables tables;
  private final MemorySegment zeros;

  private EmittedExperts(
      KernelLibrary library,
      Mixture mixture,
      Bank gate,
      Bank up,
      Bank down,
      Kernel gating,
      SharedScratch scratch,
      int mostRows) {
    this.library = library;
    this.routing = mixture.routing();
    this.gate = gate;
    this.up = up;
    this.down = down;
    this.gating = gating;
    this.x = mixture.x();
    this.scores = mixture.scores();
    this.result = mixture.result();
    this.scratch = scratch;
    this.tables = RouteTables.allocate(scratch::block, mostRows * routing.used(), scores.width());
    this.zeros = scratch.zeros(gate.rows());
  }

  /**
   * The emitted form, where every weight has one.
   *
   * @param mostRows how many rows a step of the program may have
   */
  public static Optional<BoundLaunch> of(
      KernelLibrary library, Mixture mixture, SharedScratch scratch, int mostRows) {
    var bank = mixture.bank();
    var gate = bank(library, bank.gate(), scratch);
    var up = bank(library, bank.up(), scratch);
    var down = bank(library, bank.down(), scratch);
    var gating = library.finishGate(bank.fn());
    if (gate.isEmpty() || up.isEmpty() || down.isEmpty()) return Optional.empty();
    // Both are given the same rows.
    if (gate.get().takesFloats() != up.get().takesFloats()) return Optional.empty();
    return Optional.of(
        new EmittedExperts(
            library, mixture, gate.get(), up.get(), down.get(), gating, scratch, mostRows));
  }

  private static Optional<Bank> bank(
      KernelLibrary library, Weights.Tensor weight, SharedScratch scratch) {
    if (!library.multiplies(weight.encoding())) return Optional.empty();
    var kernels = scratch.block(8L * ExpertProductsArguments.KERNEL_COUNT);
    return Optional.of(new Bank(weight, scratch.addresses(Mixture.experts(weight)), kernels));
  }

  @Override
  public String name() {
    return "route, experts " + gate.weight.encoding().name();
  }

  /** The choice of experts is made by the emitted code itself. */
  @Override
  public Change follows() {
    return Change.ROWS;
  }

  private int uses(Step step) {
    return x.count(step) * routing.used();
  }

  /**
   * Where things lie in the scratch of bytes: rows, rows in order, what is between the products.
   */
  private long orderedAt(Step step) {
    return gate.rowBytes() * x.count(step);
  }

  private long betweenAt(Step step) {
    return orderedAt(step) + gate.rowBytes() * uses(step);
  }

  /** What the second products give lies behind the gated rows, over what they were gated from. */
  private long behindGated(Step step) {
    return (long) uses(step) * gate.rows();
  }

  @Override
  public void begin(Step step) {
    long products = (long) uses(step) * Math.max(gate.rows(), result.width());
    scratch.reserve(
        betweenAt(step) + down.rowBytes() * uses(step), 0, behindGated(step) + products);
  }

  @Override
  public void record(Step step, CallList calls) {
    int rows = x.count(step);
    if (rows == 0) return;
    int uses = uses(step);
    var gated = scratch.products();
    var second = scratch.products().asSlice(behindGated(step) * Float.BYTES);
    for (var bank : List.of(gate, up, down)) provide(bank, rows);
    route(rows, calls);
    if (!gate.takesFloats()) {
      quantize(x.from(0, 0), inputForm(), scratch.bytes(), rows, calls);
    }
    calls.meet();
    order(step, calls);
    calls.meet();
    var ordered = scratch.bytes().asSlice(orderedAt(step));
    products(gate, rows, ordered, gated, calls);
    products(up, rows, ordered, second, calls);
    gate(gated, second, uses, calls);
    calls.meet();
    var between = scratch.bytes().asSlice(betweenAt(step));
    if (!down.takesFloats()) {
      quantize(PlainRows.packed(gated, gate.rows()), down.form(), between, uses, calls);
      calls.meet();
    }
    products(down, rows, down.takesFloats() ? gated : between, second, calls);
    mix(second, rows, calls);
  }

  private void route(int rows, CallList calls) {
    var block = calls.arguments(RouteArguments.BYTES);
    new RouteArguments(
            scores.from(0, 0), scores.width(), rows, routing.used(), routing.scale(), tables)
        .write(block);
    calls.needScratch(RouteArguments.scratchBytes(scores.width()));
    calls.call(library.route(routing.scoring(), routing.weights()), block, 1);
  }

  /** Gate and up are given the same rows: what more values share serves both. */
  private Activations inputForm() {
    return gate.form().shared() > up.form().shared() ? gate.form() : up.form();
  }

  private void quantize(
      PlainRows from, Activations form, MemorySegment to, int rows, CallList calls) {
    var block = calls.arguments(QuantizeArguments.BYTES);
    new QuantizeArguments(from, form, to).write(block);
    calls.call(library.quantize(form), block, rows);
  }

  /** Copies each use's activations to its place; they are moved as floats, whatever they are. */
  private void order(Step step, CallList calls) {
    var rows = gate.takesFloats() ? x.pieces(0) : new HeadRows(scratch.bytes(), gate.rowBytes(), 0);
    var to = new HeadRows(scratch.bytes().asSlice(orderedAt(step)), gate.rowBytes(), 0);
    int width = Math.toIntExact(gate.rowBytes() / Float.BYTES);
    var block = calls.arguments(ElementwiseArguments.BYTES);
    var source = new Source(rows, tables.sources());
    new ElementwiseArguments(
            new ElementwiseArguments.Cut(width, width), to, List.of(source), List.of())
        .write(block);
    calls.call(library.elementwise(Formula.copy()), block, uses(step));
  }

  /**
   * An expert has at most every row; kernels are emitted when they are first asked for. Places of
   * more rows have the last kernel that is needed, so that no place has none.
   */
  private void provide(Bank bank, int rows) {
    int most = ExpertProductsArguments.KERNEL_COUNT;
    for (int n = 1; n <= most; n++) {
      int asked = Math.min(n, rows);
      library
          .product(
              bank.weight.encoding(), asked == most ? Integer.MAX_VALUE : asked, bank.columns())
          .entry()
          .writeTo(bank.kernels, 8L * (n - 1));
    }
  }

  private void products(Bank bank, int rows, MemorySegment from, MemorySegment to, CallList calls) {
    var block = calls.arguments(ExpertProductsArguments.BYTES);
    new ExpertProductsArguments(
            bank.addresses,
            bank.kernels,
            tables.starts(),
            scores.width(),
            rows,
            bank.weight.rowBytes(),
            bank.columns(),
            new PlainRows(from, bank.rowBytes()),
            PlainRows.packed(to, bank.rows()))
        .write(block);
    calls.needScratch(KernelLibrary.SCRATCH_BYTES);
    calls.call(library.expertProducts(), block, bank.rows(), FinishArguments.MULTIPLE);
  }

  private void gate(MemorySegment gated, MemorySegment second, int uses, CallList calls) {
    var block = calls.arguments(FinishArguments.BYTES);
    var gates = PlainRows.packed(gated, gate.rows());
    var ups = PlainRows.packed(second, gate.rows());
    new FinishArguments(gates, zeros, ups, zeros, gates, uses).write(block);
    calls.call(gating, block, gate.rows(), FinishArguments.MULTIPLE);
  }

  private void mix(MemorySegment from, int rows, CallList calls) {
    var block = calls.arguments(MixArguments.BYTES);
    new MixArguments(
            PlainRows.packed(from, result.width()), tables, routing.used(), rows, result.from(0, 0))
        .write(block);
    calls.call(library.mix(), block, result.width(), FinishArguments.MULTIPLE);
  }
}
