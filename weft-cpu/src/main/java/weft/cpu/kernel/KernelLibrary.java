package weft.cpu.kernel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.Code;
import weft.cpu.asm.CodeMemory;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.attention.Attend;
import weft.cpu.kernel.attention.AttendArguments;
import weft.cpu.kernel.attention.AttendMany;
import weft.cpu.kernel.attention.KvKind;
import weft.cpu.kernel.attention.KvStore;
import weft.cpu.kernel.attention.KvStoreArguments;
import weft.cpu.kernel.attention.Rope;
import weft.cpu.kernel.attention.RopeArguments;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.experts.ExpertProducts;
import weft.cpu.kernel.experts.ExpertProductsArguments;
import weft.cpu.kernel.experts.Mix;
import weft.cpu.kernel.experts.MixArguments;
import weft.cpu.kernel.experts.Route;
import weft.cpu.kernel.experts.RouteArguments;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.Finish;
import weft.cpu.kernel.product.FinishArguments;
import weft.cpu.kernel.product.FormatCode;
import weft.cpu.kernel.product.MatMulArguments;
import weft.cpu.kernel.product.Quantize;
import weft.cpu.kernel.product.QuantizeArguments;
import weft.cpu.kernel.product.WordQuantize;
import weft.cpu.kernel.product.WordRows;
import weft.cpu.kernel.product.WordRowsArguments;
import weft.cpu.kernel.product.WordScales;
import weft.cpu.kernel.product.WordTile;
import weft.cpu.kernel.recurrent.DeltaRule;
import weft.cpu.kernel.recurrent.DeltaRuleArguments;
import weft.cpu.kernel.recurrent.ShortConv;
import weft.cpu.kernel.recurrent.ShortConvArguments;
import weft.cpu.kernel.rows.Elementwise;
import weft.cpu.kernel.rows.ElementwiseArguments;
import weft.cpu.kernel.rows.Embed;
import weft.cpu.kernel.rows.EmbedArguments;
import weft.cpu.kernel.rows.Formula;
import weft.cpu.kernel.rows.Peaks;
import weft.cpu.kernel.rows.PeaksArguments;
import weft.cpu.kernel.rows.RowNorm;
import weft.cpu.kernel.rows.RowNormArguments;
import weft.cpu.kernel.walk.Meeting;
import weft.cpu.kernel.walk.WalkPlan;
import weft.cpu.kernel.walk.Walker;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Routing;
import weft.quant.Encoding;

/**
 * Owns the emitted kernels of one instruction set level, and must be closed after its users.
 *
 * <p>A kernel is emitted when it is first asked for: a model needs a few of them, and all of them
 * would take longer than its first token.
 */
public final class KernelLibrary implements AutoCloseable {
  /** What a worker needs for itself while it multiplies matrices. */
  public static final long SCRATCH_BYTES = FormatCode.SCRATCH_BYTES;

  private final Isa isa;
  private final Map<String, Loaded> loaded = new LinkedHashMap<>();

  /** A kernel with its pages, and how it was written. */
  private record Loaded(CodeMemory memory, Kernel kernel, Consumer<KernelWriter> emitter) {}

  private KernelLibrary(Isa isa) {
    this.isa = isa;
  }

  /** A library for a level that this machine has. */
  public static KernelLibrary open(Isa isa) {
    return new KernelLibrary(isa);
  }

  public Isa isa() {
    return isa;
  }

  /** What was emitted so far, for reports: written again, since listings take more than code. */
  public synchronized List<Code> code() {
    return loaded.values().stream().map(l -> written(l.emitter())).toList();
  }

  private Code written(Consumer<KernelWriter> emitter) {
    var assembler = new Assembler();
    emitter.accept(new KernelWriter(assembler, isa));
    return assembler.assemble();
  }

  /** The kernel of this name, which {@code emitter} writes where it is not there yet. */
  private synchronized Kernel kernel(String name, Consumer<KernelWriter> emitter) {
    var there = loaded.get(name);
    if (there != null) {
      return there.kernel();
    }
    var memory = CodeMemory.load(written(emitter));
    var kernel = new Kernel(memory.entry(name));
    loaded.put(name, new Loaded(memory, kernel, emitter));
    return kernel;
  }

  /** So many launches, all of them empty, for at most so many workers; the caller closes it. */
  public WalkPlan plan(int launches, int workers) {
    return new WalkPlan(kernel(Walker.NAME, Walker::emit), launches, workers);
  }

  /** Where so many workers in emitted code wait for each other; the caller closes it. */
  public Meeting meeting(int workers, Meeting.Patience patience) {
    return new Meeting(kernel(Walker.CALL_OFF_NAME, Walker::emitCallOff), workers, patience);
  }

  /** Floats to {@link Activations}: arguments {@link QuantizeArguments}, range over rows. */
  public Kernel quantize(Activations layout) {
    var name = Quantize.name(layout.shared());
    return kernel(name, w -> Quantize.emit(w, layout.shared()));
  }

  /** Whether packed rows of this encoding have kernels that multiply them. */
  public boolean multiplies(Encoding encoding) {
    return FormatCode.of(encoding).isPresent();
  }

  /**
   * The kernel that is best at so many activation rows against packed rows of so many values:
   * {@link MatMulArguments}, range over weight rows, scratch of {@link #SCRATCH_BYTES} at a
   * multiple of 64.
   */
  public Kernel product(Encoding encoding, long rows, long k) {
    var code = code(encoding);
    if (code.takesStreams(isa, rows, k)) {
      return streams(encoding, (int) rows);
    }
    int few = code.few(isa, rows, k);
    return few == 0 ? matMul(encoding) : few(encoding, few);
  }

  /** Whether {@link #product} is {@link #matMul}, which adds to its products what it is told. */
  public boolean adds(Encoding encoding, long rows, long k) {
    var code = code(encoding);
    return !code.takesStreams(isa, rows, k) && code.few(isa, rows, k) == 0;
  }

  private Kernel few(Encoding encoding, int size) {
    var name = "matfew" + size + "." + encoding.name();
    return kernel(name, w -> code(encoding).emitFew(w, name, size));
  }

  /** Whether rows that were written have other bits than rows that are read. */
  public boolean meetsApart(Encoding encoding) {
    return code(encoding).meetsApart();
  }

  /** How many of so many rows that were written {@link #written} should be asked for at once. */
  public int writtenAtOnce(int rows) {
    return FormatCode.writtenAtOnce(rows);
  }

  /** The kernel of so many rows that were written, where those meet weights apart. */
  public Kernel written(Encoding encoding, int rows) {
    return rows == 1 ? matVec(encoding) : few(encoding, rows);
  }

  /** How many of so many activation rows {@link #product} should be asked for at once. */
  public int atOnce(Encoding encoding, int rows, long k) {
    return code(encoding).atOnce(isa, rows, k);
  }

  /** One activation row against packed rows; {@link #product} says of how many values. */
  public Kernel matVec(Encoding encoding) {
    return streams(encoding, 1);
  }

  private Kernel streams(Encoding encoding, int rows) {
    var name = (rows == 1 ? "matvec." : "matvec" + rows + ".") + encoding.name();
    return kernel(name, w -> code(encoding).emitMatVec(w, name, rows));
  }

  /** Any number of activation rows against packed rows. */
  public Kernel matMul(Encoding encoding) {
    var name = "matmul." + encoding.name();
    return kernel(name, w -> code(encoding).emitMatMul(w, name));
  }

  /** Floats to {@link WordRows}: {@link WordRowsArguments}, range over rows. */
  public Kernel words(WordScales scales) {
    return kernel(WordQuantize.name(scales), w -> WordQuantize.emit(w, scales));
  }

  /** Whether {@link #wordMatMul} is for rows of so many values that are read. */
  public boolean meetsAsWords(Encoding encoding, long k) {
    return code(encoding).meetsAsWords(isa, k);
  }

  /** Any number of activation rows as words against rows of an encoding of 16 bits. */
  public Optional<Kernel> wordMatMul(Encoding encoding, WordScales scales) {
    return wordMatMul(encoding, scales, Optional.empty());
  }

  /**
   * The same, whose results go through a function behind what is added to them, where registers are
   * left for it; something must be added.
   */
  public Optional<Kernel> mappedWordMatMul(Encoding encoding, WordScales scales, Fn fn) {
    return WordTile.maps(isa, scales)
        ? wordMatMul(encoding, scales, Optional.of(fn))
        : Optional.empty();
  }

  private Optional<Kernel> wordMatMul(Encoding encoding, WordScales scales, Optional<Fn> fn) {
    var code = code(encoding);
    if (!code.hasWords()) return Optional.empty();
    var name = scales.named("matmulwords." + encoding.name()) + fn.map(f -> "." + f).orElse("");
    return Optional.of(kernel(name, w -> code.emitWordMatMul(w, name, scales, fn)));
  }

  private static FormatCode code(Encoding encoding) {
    return FormatCode.of(encoding)
        .orElseThrow(
            () ->
                new KernelException(
                    encoding.name() + " has no emitted kernels; ask multiplies() before"));
  }

  /**
   * Chosen rows of a table as floats: {@link EmbedArguments}, range over rows and in them pieces,
   * scratch of {@link EmbedArguments#SCRATCH_BYTES}.
   */
  public Optional<Kernel> embed(Encoding encoding) {
    return FormatCode.of(encoding)
        .map(code -> kernel(Embed.name(encoding), w -> Embed.emit(w, encoding, code)));
  }

  /** Norms: {@link RowNormArguments}, range over rows and in them heads. */
  public Kernel rowNorm() {
    return rowNorm(RowNorm.Kind.RMS);
  }

  /** The same, added to a residual. */
  public Kernel addNorm() {
    return rowNorm(RowNorm.Kind.ADD_RMS);
  }

  /** Heads less their mean, divided by their deviation, plus the residual, as a bias. */
  public Kernel layerNorm() {
    return rowNorm(RowNorm.Kind.LAYER);
  }

  /** Heads divided by their lengths: {@link RowNormArguments}, range over rows and heads. */
  public Kernel l2Norm() {
    return rowNorm(RowNorm.Kind.L2);
  }

  private Kernel rowNorm(RowNorm.Kind kind) {
    return kernel(RowNorm.name(kind), w -> RowNorm.emit(w, kind));
  }

  /** The experts of all rows: {@link RouteArguments}, a range of one. */
  public Kernel route(Routing.Scoring scoring, Routing.Weights weights) {
    return kernel(Route.name(scoring, weights), w -> Route.emit(w, scoring, weights));
  }

  /**
   * Each used expert's products: {@link ExpertProductsArguments}, range over an expert's rows,
   * scratch of {@link #SCRATCH_BYTES}.
   */
  public Kernel expertProducts() {
    return kernel(ExpertProducts.NAME, ExpertProducts::emit);
  }

  /** Weighted sums of what experts gave: {@link MixArguments}, range over columns. */
  public Kernel mix() {
    return kernel(Mix.NAME, Mix::emit);
  }

  /** The greatest of each run: {@link PeaksArguments}, range over runs. */
  public Kernel peaks() {
    return kernel(Peaks.NAME, Peaks::emit);
  }

  /** A formula of elements: {@link ElementwiseArguments}, range over rows and in them pieces. */
  public Kernel elementwise(Formula formula) {
    return kernel(Elementwise.name(formula), w -> Elementwise.emit(w, formula));
  }

  /** Products plus a bias and a residual: {@link FinishArguments}, range over columns. */
  public Kernel finishAdd() {
    return kernel(Finish.ADD_NAME, Finish::emitAdd);
  }

  /** A function of products: {@link FinishArguments}, range over columns; {@code b} is not read. */
  public Kernel finishMap(Fn fn) {
    return kernel(Finish.mapName(fn), w -> Finish.emitMap(w, fn));
  }

  /** Products gated by a function of others: {@link FinishArguments}, range over columns. */
  public Kernel finishGate(Fn fn) {
    return kernel(Finish.gateName(fn), w -> Finish.emitGate(w, fn));
  }

  /**
   * Queries and keys turned, keys and values stored so: {@link KvStoreArguments}, range over rows
   * and in them heads of keys, scratch of {@link KvStoreArguments#scratchBytes}.
   */
  public Optional<Kernel> store(Encoding stored, Op.Pairing pairing) {
    return KvKind.of(stored)
        .map(kind -> kernel(KvStore.name(kind, pairing), w -> KvStore.emit(w, kind, pairing)));
  }

  /** Heads turned: {@link RopeArguments}, range over rows and in them heads. */
  public Kernel rope(Op.Pairing pairing) {
    return kernel(Rope.name(pairing), w -> Rope.emit(w, pairing));
  }

  /**
   * A causal convolution with state: {@link ShortConvArguments}, range over parts and in them
   * pieces of channels.
   */
  public Optional<Kernel> shortConv(int taps) {
    return taps > ShortConv.MOST_TAPS
        ? Optional.empty()
        : Optional.of(kernel(ShortConv.name(taps), w -> ShortConv.emit(w, taps)));
  }

  /** The gated delta rule row by row: {@link DeltaRuleArguments}, range over parts and heads. */
  public Kernel deltaRule() {
    return kernel(DeltaRule.NAME, DeltaRule::emit);
  }

  /**
   * Attention of single rows over keys and values stored so: {@link AttendArguments}, range over
   * its units, scratch of {@link AttendArguments#scratchBytes}.
   */
  public Optional<Kernel> attend(Encoding stored) {
    return KvKind.of(stored).map(k -> kernel(Attend.name(k), w -> Attend.emit(w, k)));
  }

  /** The same for blocks of rows. */
  public Optional<Kernel> attendMany(Encoding stored) {
    return KvKind.of(stored).map(k -> kernel(AttendMany.name(k), w -> AttendMany.emit(w, k)));
  }

  @Override
  public synchronized void close() {
    loaded.values().forEach(l -> l.memory().close());
    loaded.clear();
  }
}
