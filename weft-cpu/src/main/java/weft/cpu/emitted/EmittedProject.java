package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import weft.backend.Step;
import weft.cpu.emitted.ProjectCuts.Part;
import weft.cpu.emitted.ProjectCuts.Piece;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.FinishArguments;
import weft.cpu.kernel.product.MatMulArguments;
import weft.cpu.kernel.product.QuantizeArguments;
import weft.cpu.kernel.product.WordRows;
import weft.cpu.kernel.product.WordRowsArguments;
import weft.cpu.kernel.product.WordScales;
import weft.cpu.kernel.rows.RowNormArguments;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.Projection;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.ir.Fn;
import weft.quant.Encoding;

/**
 * Projections by emitted code. The rows are normalized and made bytes once, by whichever worker has
 * them; then each worker meets its share of the packed weight rows, or all of them with its share
 * of the rows, and finishes its own outputs.
 */
public final class EmittedProject implements EmittedLaunch {
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

    record Map(Kernel kernel, Fn fn) implements After {}
  }

  private final KernelLibrary library;
  private final Rows2d x;
  private final Before before;
  private final List<Part> parts;
  private final After after;
  private final Rows2d result;

  /** The forms of the rows as bytes that weights want, one behind the other in the scratch. */
  private final List<Activations> forms;

  private final SharedScratch scratch;
  private final int workers;

  private EmittedProject(
      KernelLibrary library,
      Projection projection,
      Before before,
      List<Part> parts,
      After after,
      SharedScratch scratch,
      int workers) {
    this.library = library;
    this.x = projection.x();
    this.before = before;
    this.parts = List.copyOf(parts);
    this.after = after;
    this.result = projection.result();
    this.forms = parts.stream().filter(p -> !p.takesFloats()).map(Part::form).distinct().toList();
    this.scratch = scratch;
    this.workers = workers;
  }

  /** The emitted form of a projection, where every piece of it has one. */
  public static Optional<BoundLaunch> of(
      KernelLibrary library, Projection projection, SharedScratch scratch, int workers) {
    var parts = new ArrayList<Part>();
    for (var part : projection.parts()) {
      if (!library.multiplies(part.weight().encoding())) return Optional.empty();
      var zeros = scratch.zeros(part.outputs());
      var bias = part.bias().length == 0 ? zeros : scratch.constant(part.bias());
      parts.add(new Part(part.weight(), bias, zeros, part.column()));
    }
    return Optional.of(
        new EmittedProject(
            library,
            projection,
            before(library, projection, scratch),
            parts,
            after(library, projection),
            scratch,
            workers));
  }

  private static Before before(
      KernelLibrary library, Projection projection, SharedScratch scratch) {
    var norm = projection.norm();
    return norm.isNone()
        ? new Before.Nothing()
        : new Before.Norm(library.rowNorm(), scratch.constant(norm.weight()), norm.eps());
  }

  private static After after(KernelLibrary library, Projection projection) {
    boolean isBiased = projection.parts().stream().anyMatch(p -> p.bias().length > 0);
    return switch (projection.after()) {
      case Projection.After.Nothing() when !isBiased -> new After.Nothing();
      case Projection.After.Nothing() -> new After.Add(library.finishAdd(), Optional.empty());
      case Projection.After.Add(var residual) ->
          new After.Add(library.finishAdd(), Optional.of(residual));
      case Projection.After.Gate(Fn fn) -> new After.Gate(library.finishGate(fn));
      case Projection.After.Map(Fn fn) -> new After.Map(library.finishMap(fn), fn);
    };
  }

  @Override
  public String name() {
    return name(new Rows(1, 1, WordScales.BLOCKS));
  }

  @Override
  public String name(Step step) {
    return name(rows(step));
  }

  private String name(Rows rows) {
    return parts.stream()
        .map(p -> p.weight().encoding())
        .flatMap(e -> groups(e, rows, 0, rows.count).stream())
        .map(group -> group.kernel.name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /**
   * What of a step chooses its kernels.
   *
   * @param written how many of the rows, the first, were written
   * @param scales of those that meet weights as words
   */
  private record Rows(int count, int written, WordScales scales) {}

  private Rows rows(Step step) {
    return new Rows(x.count(step), x.written(step), wordScales(step));
  }

  /**
   * Neighbouring rows that meet weights in one call.
   *
   * @param adds whether the kernel adds bias and residual itself
   * @param maps whether its results have gone through the function behind them
   */
  private record Group(
      Kernel kernel, boolean asWords, boolean adds, boolean maps, int first, int rows) {}

  /**
   * How rows from one up to another are met, of all those there are. How many they are may choose
   * the kernel only where its bits do not depend on it.
   */
  private List<Group> groups(Encoding encoding, Rows all, int from, int to) {
    var groups = new ArrayList<Group>();
    if (!library.meetsApart(encoding)) {
      int atOnce = library.atOnce(encoding, to - from, x.width());
      for (int first = from; first < to; first += atOnce) {
        int rows = Math.min(atOnce, to - first);
        var kernel = library.product(encoding, rows, x.width());
        boolean adds = library.adds(encoding, rows, x.width());
        groups.add(new Group(kernel, false, adds, false, first, rows));
      }
      return groups;
    }
    int border = Math.clamp(all.written, from, to);
    int atOnce = border > from ? library.writtenAtOnce(border - from) : 0;
    for (int first = from; first < border; first += atOnce) {
      int rows = Math.min(atOnce, border - first);
      groups.add(new Group(library.written(encoding, rows), false, false, false, first, rows));
    }
    if (border < to) {
      boolean asWords = library.meetsAsWords(encoding, x.width());
      var mapped = asWords ? mappedWords(encoding, all.scales) : Optional.<Kernel>empty();
      var kernel =
          asWords
              ? mapped.orElseGet(() -> library.wordMatMul(encoding, all.scales).orElseThrow())
              : library.matMul(encoding);
      groups.add(new Group(kernel, asWords, true, mapped.isPresent(), border, to - border));
    }
    return groups;
  }

  private Optional<Kernel> mappedWords(Encoding encoding, WordScales scales) {
    return after instanceof After.Map(_, var fn)
        ? library.mappedWordMatMul(encoding, scales, fn)
        : Optional.empty();
  }

  /** The bytes of the rows as words, where a product takes those that are read so. */
  private long wordBytes(Rows rows) {
    if (rows.written == rows.count) return 0;
    return parts.stream().anyMatch(p -> library.meetsAsWords(p.weight().encoding(), x.width()))
        ? new WordRows(x.width()).bytes(rows.count)
        : 0;
  }

  @Override
  public Change follows() {
    return Change.ROWS;
  }

  @Override
  public void begin(Step step) {
    int rows = x.count(step);
    if (rows == 0) return;
    long bytes = formBytes(rows) + wordBytes(rows(step));
    scratch.reserve(
        bytes, before instanceof Before.Norm ? (long) rows * x.width() : 0, products(rows));
  }

  private long formBytes(int rows) {
    return forms.stream().mapToLong(form -> form.bytes(rows)).sum();
  }

  /** The products that are there at a time, whoever shares the work. */
  private long products(int rows) {
    return IntStream.rangeClosed(1, workers)
        .mapToLong(team -> RowShare.of(rows, team).stream().mapToLong(this::products).sum())
        .max()
        .orElseThrow();
  }

  /** None where they are the results: whoever asks must get the same answer. */
  private long products(RowShare share) {
    if (after instanceof After.Nothing) return 0;
    return (long) share.rows() * new ProjectCuts(parts, share.rows(), share.workers()).width();
  }

  @Override
  public void record(Step step, CallList calls) {
    var rows = rows(step);
    // The middle of a prompt wants no logits, and emitted loops run at least once.
    if (rows.count == 0) return;
    var shares = RowShare.of(rows.count, calls.team());
    boolean hasWords = wordBytes(rows) > 0;
    prepare(rows, hasWords, calls);
    boolean isPrepared = before instanceof Before.Norm || !forms.isEmpty() || hasWords;
    if (shares.size() == 1 && isPrepared) calls.meet();
    long behind = 0;
    for (var share : shares) {
      new Recording(rows, share, behind, calls).record();
      behind += products(share);
    }
  }

  /**
   * Rows of texts have scales that no outlier of another block coarsens; pictures have the speed.
   */
  private WordScales wordScales(Step step) {
    boolean suits = step.isSeen() && WordScales.PANELS.take(x.width());
    return suits ? WordScales.PANELS : WordScales.BLOCKS;
  }

  private void prepare(Rows all, boolean hasWords, CallList calls) {
    int rows = all.count;
    if (before instanceof Before.Norm(var kernel, var weight, float eps)) {
      var block = calls.arguments(RowNormArguments.BYTES);
      RowNormArguments.ofRows(x.from(0, 0), weight, x.width(), eps, normalized()).write(block);
      calls.call(kernel, block, rows);
    }
    for (var form : forms) {
      var block = calls.arguments(QuantizeArguments.BYTES);
      new QuantizeArguments(floats(), form, bytes(form, rows)).write(block);
      calls.call(library.quantize(form), block, rows);
    }
    if (hasWords) {
      var block = calls.arguments(WordRowsArguments.BYTES);
      new WordRowsArguments(floats(), new WordRows(x.width()), words(rows)).write(block);
      calls.call(library.words(all.scales), block, rows);
    }
  }

  /** The rows as words lie behind those as bytes. */
  private MemorySegment words(int rows) {
    return scratch.bytes().asSlice(formBytes(rows));
  }

  private MemorySegment bytes(Activations form, int rows) {
    return scratch.bytes().asSlice(forms.indexOf(form) * form.bytes(rows));
  }

  private PlainRows normalized() {
    return PlainRows.packed(scratch.floats(), x.width());
  }

  /** The rows of floats as the products want them: normalized, or as they came. */
  private PlainRows floats() {
    return switch (before) {
      case Before.Nothing() -> x.from(0, 0);
      case Before.Norm _ -> normalized();
    };
  }

  /** What a kernel adds to its products: the bias, and a residual where there is one. */
  private record Added(Optional<Rows2d> residual) {
    static final Added BIAS = new Added(Optional.empty());
  }

  /** A piece and its products. */
  private record Factor(Piece piece, PlainRows products) {}

  /** Writes the calls for some of the rows, which are prepared. */
  private final class Recording {
    private final Rows all;
    private final RowShare share;
    private final ProjectCuts cuts;
    private final MemorySegment scratchProducts;
    private final CallList calls;

    /**
     * @param behind the products of other shares that lie before those of this one
     */
    Recording(Rows all, RowShare share, long behind, CallList calls) {
      this.all = all;
      this.share = share;
      this.cuts = new ProjectCuts(parts, share.rows(), share.workers());
      this.scratchProducts = scratch.products().asSlice(behind * Float.BYTES);
      this.calls = calls;
    }

    void record() {
      switch (after) {
        case After.Nothing() -> {
          for (var part : parts) multiply(cuts.whole(part), toResult(part));
        }
        case After.Add add -> {
          for (var part : parts) {
            if (adds(part)) {
              multiply(cuts.whole(part), toResult(part), Optional.of(new Added(add.residual)));
              continue;
            }
            var products = products(part);
            for (var piece : cuts.pieces(part)) {
              multiply(piece, products);
              add(add, new Factor(piece, products));
            }
          }
        }
        case After.Map map -> {
          for (var part : parts) {
            if (groups(part).stream().allMatch(Group::maps)) {
              multiply(cuts.whole(part), toResult(part), Optional.of(Added.BIAS));
              continue;
            }
            var products = products(part);
            for (var piece : cuts.pieces(part)) {
              multiply(piece, products);
              map(map.kernel, new Factor(piece, products));
            }
          }
        }
        case After.Gate(var kernel) -> {
          var gates = products(parts.getFirst());
          var ups = products(parts.getLast());
          for (var gate : cuts.pieces(parts.getFirst())) {
            var up = gate.of(parts.getLast());
            multiply(gate, gates);
            multiply(up, ups);
            gate(kernel, new Factor(gate, gates), new Factor(up, ups));
          }
        }
      }
    }

    private PlainRows toResult(Part part) {
      return result.from(share.first(), part.column());
    }

    private PlainRows products(Part part) {
      var memory = scratchProducts.asSlice((long) cuts.column(part) * Float.BYTES);
      return PlainRows.packed(memory, cuts.width());
    }

    /** All rows of what a part is multiplied with. */
    private PlainRows activations(Part part, boolean asWords) {
      if (asWords) return new PlainRows(words(all.count), new WordRows(x.width()).rowBytes());
      if (part.takesFloats()) return floats();
      var form = part.form();
      return new PlainRows(bytes(form, all.count), form.rowBytes());
    }

    /** Whether no product needs a call behind it. */
    private boolean adds(Part part) {
      return groups(part).stream().allMatch(Group::adds);
    }

    private List<Group> groups(Part part) {
      int from = share.first();
      return EmittedProject.this.groups(part.weight().encoding(), all, from, from + share.rows());
    }

    private void multiply(Piece piece, PlainRows to) {
      multiply(piece, to, Optional.empty());
    }

    private void multiply(Piece piece, PlainRows to, Optional<Added> added) {
      var part = piece.part();
      var weights = new PlainRows(piece.weights(), part.weight().rowBytes());
      calls.needScratch(KernelLibrary.SCRATCH_BYTES);
      int from = share.first();
      for (var group : groups(part)) {
        var rows = activations(part, group.asWords).fromRow(group.first);
        var out = to.fromRow(group.first - from);
        var products = new MatMulArguments(weights, x.width(), rows, group.rows, out);
        var block = calls.arguments(MatMulArguments.BYTES);
        added
            .map(add -> products.plus(piece.bias(), residual(add.residual, piece, group.first)))
            .orElse(products)
            .write(block);
        share.call(calls, group.kernel, block, piece);
      }
    }

    private PlainRows residual(Optional<Rows2d> residual, Piece piece, int firstRow) {
      return residual
          .map(r -> r.from(firstRow, piece.column()))
          .orElse(PlainRows.one(piece.part().zeros()));
    }

    private void add(After.Add add, Factor factor) {
      var piece = factor.piece;
      var residual = residual(add.residual, piece, share.first());
      var block = calls.arguments(FinishArguments.BYTES);
      new FinishArguments(
              factor.products,
              piece.bias(),
              residual,
              MemorySegment.NULL,
              result.from(share.first(), piece.column()),
              share.rows())
          .write(block);
      share.call(calls, add.kernel, block, piece);
    }

    private void map(Kernel kernel, Factor factor) {
      var piece = factor.piece;
      var block = calls.arguments(FinishArguments.BYTES);
      new FinishArguments(
              factor.products,
              piece.bias(),
              PlainRows.one(MemorySegment.NULL),
              MemorySegment.NULL,
              result.from(share.first(), piece.column()),
              share.rows())
          .write(block);
      share.call(calls, kernel, block, piece);
    }

    private void gate(Kernel kernel, Factor gate, Factor up) {
      var block = calls.arguments(FinishArguments.BYTES);
      new FinishArguments(
              gate.products,
              gate.piece.bias(),
              up.products,
              up.piece.bias(),
              result.from(share.first(), gate.piece.from()),
              share.rows())
          .write(block);
      share.call(calls, kernel, block, gate.piece);
    }
  }
}
