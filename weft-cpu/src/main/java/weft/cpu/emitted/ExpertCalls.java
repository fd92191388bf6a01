package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
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
import weft.cpu.launch.Mixture;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.ir.Routing;

/**
 * The calls of a mixture of experts. Rows are put in the order of the experts that they use, so
 * that each expert's packed weights are read once, for one row or for many, and no others are.
 *
 * <p>What lies between {@link #open} and {@link #close} may be called in rounds, for some of the
 * experts each: an expert without an address is left out, and rows that are not its own come out of
 * a round as they went in, or are done again.
 */
final class ExpertCalls {
  /** One of the three weights of all experts. */
  record Bank(Weights.Tensor weight, MemorySegment addresses) {
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
  private final Regions regions;

  /** Where the values between an expert's products lie. */
  enum Regions {
    /** Over each other: an expert's rows are done once. */
    SHARED,
    /** Each its own: what one round has done is there in the next. */
    APART
  }

  private ExpertCalls(
      KernelLibrary library,
      Mixture mixture,
      List<Bank> banks,
      SharedScratch scratch,
      int mostRows,
      Regions regions) {
    this.library = library;
    this.routing = mixture.routing();
    this.gate = banks.get(0);
    this.up = banks.get(1);
    this.down = banks.get(2);
    this.gating = library.finishGate(mixture.bank().fn());
    this.x = mixture.x();
    this.scores = mixture.scores();
    this.result = mixture.result();
    this.scratch = scratch;
    this.tables = RouteTables.allocate(scratch::block, mostRows * routing.used(), scores.width());
    this.zeros = scratch.zeros(gate.rows());
    this.regions = regions;
  }

  /**
   * The calls, where every weight has emitted kernels.
   *
   * @param mostRows how many rows a step of the program may have
   */
  static Optional<ExpertCalls> of(
      KernelLibrary library,
      Mixture mixture,
      SharedScratch scratch,
      int mostRows,
      Regions regions) {
    var bank = mixture.bank();
    var banks = new ArrayList<Bank>();
    for (var weight : List.of(bank.gate(), bank.up(), bank.down())) {
      if (!library.multiplies(weight.encoding())) return Optional.empty();
      banks.add(bank(weight, scratch));
    }
    // Both are given the same rows.
    if (banks.get(0).takesFloats() != banks.get(1).takesFloats()) return Optional.empty();
    return Optional.of(new ExpertCalls(library, mixture, banks, scratch, mostRows, regions));
  }

  private static Bank bank(Weights.Tensor weight, SharedScratch scratch) {
    return new Bank(weight, scratch.addresses(Mixture.experts(weight)));
  }

  String name() {
    return "route, experts " + gate.weight.encoding().name();
  }

  /** The three weights, in the order that an expert's parts have. */
  List<Bank> banks() {
    return List.of(gate, up, down);
  }

  RouteTables tables() {
    return tables;
  }

  int experts() {
    return scores.width();
  }

  Rows2d x() {
    return x;
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

  /** The floats of all uses' gates, and of whatever is as long. */
  private long inner(Step step) {
    return (long) uses(step) * gate.rows();
  }

  private MemorySegment products(Step step, int region) {
    return scratch.products().asSlice(region * inner(step) * Float.BYTES);
  }

  private MemorySegment gates(Step step) {
    return products(step, 0);
  }

  private MemorySegment ups(Step step) {
    return products(step, 1);
  }

  private MemorySegment gated(Step step) {
    return products(step, regions == Regions.SHARED ? 0 : 2);
  }

  /** What the last products give, over what was gated where it may. */
  private MemorySegment given(Step step) {
    return products(step, regions == Regions.SHARED ? 1 : 3);
  }

  void reserve(Step step) {
    long last = (long) uses(step) * Math.max(gate.rows(), result.width());
    long before = inner(step) * (regions == Regions.SHARED ? 1 : 3);
    scratch.reserve(betweenAt(step) + down.rowBytes() * uses(step), 0, before + last);
  }

  /** The choice of experts, and each use's activations in its place. */
  void open(Step step, CallList calls) {
    int rows = x.count(step);
    route(rows, calls);
    if (!gate.takesFloats()) {
      quantize(x.from(0, 0), inputForm(), scratch.bytes(), rows, calls);
    }
    calls.meet();
    order(step, calls);
  }

  /** The products of those experts that have addresses. */
  void multiply(Step step, CallList calls) {
    int rows = x.count(step);
    var ordered = scratch.bytes().asSlice(orderedAt(step));
    products(gate, rows, ordered, gates(step), calls);
    products(up, rows, ordered, ups(step), calls);
    gate(step, calls);
    calls.meet();
    var between = scratch.bytes().asSlice(betweenAt(step));
    if (!down.takesFloats()) {
      var gated = PlainRows.packed(gated(step), gate.rows());
      quantize(gated, down.form(), between, uses(step), calls);
      calls.meet();
    }
    products(down, rows, down.takesFloats() ? gated(step) : between, given(step), calls);
  }

  /** The sum of what a row's experts gave. */
  void close(Step step, CallList calls) {
    mix(given(step), x.count(step), calls);
  }

  /** How many rows there are. */
  int rows(Step step) {
    return x.count(step);
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
   * The kernels by how many rows an expert has, at most every row; they are emitted when they are
   * first asked for. Places of more rows have the last kernel that is needed, so that no place has
   * none.
   */
  private MemorySegment kernels(Bank bank, int rows, CallList calls) {
    int most = ExpertProductsArguments.KERNEL_COUNT;
    var kernels = calls.arguments((long) most * Long.BYTES);
    for (int n = 1; n <= most; n++) {
      int asked = Math.min(n, rows);
      library
          .product(
              bank.weight.encoding(), asked == most ? Integer.MAX_VALUE : asked, bank.columns())
          .entry()
          .writeTo(kernels, 8L * (n - 1));
    }
    return kernels;
  }

  private void products(Bank bank, int rows, MemorySegment from, MemorySegment to, CallList calls) {
    var block = calls.arguments(ExpertProductsArguments.BYTES);
    new ExpertProductsArguments(
            bank.addresses,
            kernels(bank, rows, calls),
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

  private void gate(Step step, CallList calls) {
    var block = calls.arguments(FinishArguments.BYTES);
    var gates = PlainRows.packed(gates(step), gate.rows());
    var ups = PlainRows.packed(ups(step), gate.rows());
    var out = PlainRows.packed(gated(step), gate.rows());
    new FinishArguments(gates, zeros, ups, zeros, out, uses(step)).write(block);
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
