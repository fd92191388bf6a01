package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Imm;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * Who does what where a warp takes whole rows of weights: a warp {@code outputsAWarp} outputs, and
 * each of them for {@code rows} rows of activations at once.
 *
 * @param isChosen whether each row of activations has an expert of its own
 * @param asked for how many rows a kernel was asked, which may be more than it takes at once
 */
record VectorShape(Product product, int rows, int outputsAWarp, boolean isChosen, int asked) {
  static final int WARPS = 8;
  static final int THREADS = 32 * WARPS;

  private static final int IN_FLIGHT = 4;

  /** Blocks that keep every multiprocessor of a large GPU busy. */
  private static final int ENOUGH_BLOCKS = 264;

  /** Blocks that are all there at once, also on a large GPU: more of them begin when these end. */
  private static final int BLOCKS_AT_ONCE = 1056;

  /** Packed weights that wait in the cache of all while the last launch ends, in bytes. */
  private static final int AHEAD = 4 << 20;

  static VectorShape of(Product product, int rows, boolean isChosen) {
    int most = Math.max(1, (rows > 2 ? 2 : IN_FLIGHT) / product.weights());
    int fits = product.outputs() / (WARPS * ENOUGH_BLOCKS);
    int outputs = Integer.highestOneBit(Math.clamp(fits, 1, most));
    return new VectorShape(product, rows, outputs, isChosen, rows);
  }

  /** The same kernel with half of the rows at once. */
  VectorShape halved() {
    return new VectorShape(product, rows / 2, outputsAWarp, isChosen, asked);
  }

  String name() {
    var few = rows == asked ? "few" + rows : "few%d_by%d".formatted(asked, rows);
    return product.name(isChosen ? "chosen" : few);
  }

  /** Loads of weights that a lane has on their way at once. */
  int inFlight() {
    return isNarrow() ? 2 * IN_FLIGHT : IN_FLIGHT;
  }

  /**
   * Whether a warp has one row of floats only, as where outputs are few: more of it is on its way,
   * so that memory is busy. Packed weights take the registers to be taken apart.
   */
  private boolean isNarrow() {
    boolean isPacked = product.layout().form().isPresent();
    return rows == 1 && !isChosen && !isPacked && outputsAWarp * product.weights() == 1;
  }

  /** As many blocks as it takes for so many rows of activations, or uses of experts. */
  Grid grid(int count, int sharedBytes) {
    int x = Math.ceilDiv(product.outputs(), WARPS * outputsAWarp);
    return new Grid(x, Math.ceilDiv(count, rows), 1, THREADS, sharedBytes);
  }

  /**
   * The beginning of such a kernel: its parameters, and where its warp's rows of weights are.
   *
   * @param firstRow the first of the block's rows of activations
   * @param output the first of the warp's outputs
   * @param weights where the rows begin, output by output, gate before up
   */
  record Begun(
      ProductParameters parameters, B32 lane, B32 firstRow, B32 output, List<B64> weights) {}

  /** Until {@link Begun} is asked for activations, nothing of it is what another launch made. */
  Begun begin(PtxWriter w) {
    if (isNarrow()) w.mostThreads(THREADS, 2);
    else w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var bases = new ArrayList<>(List.of(p.weights(), p.upWeights()));
    var firstRow = times(w, "first_row", w.called("block_row").read(Special.CTAID_Y), rows);
    if (isChosen) {
      w.awaitLast();
      var experts = w.address("experts");
      var strides = List.of(w.wideWord("expert_bytes"), w.wideWord("up_expert_bytes"));
      w.note("the use's expert, if it has one now, and the row of activations that it is a use of");
      var use = firstRow;
      var index = w.load(Mem.global(w.madWide(use, imm(4), experts)));
      w.exitWhen(w.is(Compare.LT, index, imm(0)));
      var expert = w.wide(index);
      for (int i = 0; i < bases.size(); i++) {
        bases.set(i, w.add(bases.get(i), w.mul(expert, strides.get(i))));
      }
      firstRow = w.called("x_row").div(use, w.word("uses_a_row"));
    }
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(31));
    var warp = w.called("warp").shr(thread, imm(5));
    w.note("the warp's outputs; those beyond the last are the last again, and not written");
    var group = w.mad(w.read(Special.CTAID_X), imm(WARPS), warp);
    var output = times(w, "output", group, outputsAWarp);
    int rowBytes = product.layout().rowBytes();
    var weights = new ArrayList<B64>();
    for (int i = 0; i < outputsAWarp; i++) {
      var wanted = i == 0 ? output : w.add(output, imm(i));
      var mine = w.minUnsigned(wanted, imm(product.outputs() - 1));
      for (int j = 0; j < product.weights(); j++) {
        weights.add(w.called("weights_row").madWide(mine, imm(rowBytes), bases.get(j)));
      }
    }
    int ahead = isChosen ? 0 : bytesAhead();
    if (ahead > 0) {
      w.note("rows that this warp will want, while the last launch ends");
      w.guarded(
          w.is(Compare.EQ, lane, imm(0)),
          () -> weights.forEach(row -> w.fetchAhead(Mem.global(row), imm(ahead))));
    }
    return new Begun(p, lane, firstRow, output, weights);
  }

  /** How much of each row is fetched ahead: all of it where that is not too much together. */
  private int bytesAhead() {
    int rowBytes = product.layout().rowBytes();
    // Floats fill the memory's time, and what comes early only is in their way.
    boolean isPacked = product.layout().form().isPresent();
    if (!isPacked || rowBytes % 16 != 0 || grid(1, 0).x() > BLOCKS_AT_ONCE) return 0;
    long each = (long) AHEAD / ((long) product.outputs() * product.weights());
    return (int) Math.min(rowBytes, each / 128 * 128);
  }

  /**
   * The warp's last weights are on their way, so the next launch may begin, and have its own. Were
   * it let begin earlier, its blocks would gather where the first of these end, and some
   * multiprocessors had twice as many as others.
   */
  void lastAreOnTheirWay(PtxWriter w) {
    w.letNextBegin();
  }

  /**
   * From here on a kernel may read activations; experts that were chosen had to be there before.
   */
  void awaitActivations(PtxWriter w) {
    if (!isChosen) w.awaitLast();
  }

  private static B32 times(PtxWriter w, String name, B32 a, int count) {
    return count == 1 ? a : w.called(name).mul(a, imm(count));
  }

  /** Where a row of activations begins; rows beyond the last are the last again. */
  B64 xRow(PtxWriter w, Begun begun, int row) {
    var wanted = row == 0 ? begun.firstRow() : w.add(begun.firstRow(), imm(row));
    var last = w.sub(begun.parameters().rows(), imm(1));
    return begun.parameters().xRow(isChosen ? wanted : w.minUnsigned(wanted, last));
  }

  /** A sum for each weight's row and row of activations, of nothing yet. */
  List<F32> sums(PtxWriter w) {
    var sums = new ArrayList<F32>();
    for (int i = 0; i < outputsAWarp * product.weights() * rows; i++) {
      sums.add(w.called("sum").mov(Imm.real(0)));
    }
    return sums;
  }

  /** Where among the sums a weight's row and a row of activations are. */
  int place(int output, int weight, int row) {
    return (output * product.weights() + weight) * rows + row;
  }

  /** A register for each row's squares where they are wanted. */
  List<F32> squares(PtxWriter w) {
    int count = product.norm().isPresent() ? rows : 0;
    return Stream.generate(() -> w.called("squares").mov(Imm.real(0))).limit(count).toList();
  }

  /** All lanes' sums, in each of them. */
  static void addLanes(PtxWriter w, F32 sum) {
    for (int bits = 16; bits > 0; bits /= 2) {
      w.into(sum).add(sum, w.shuffleXor(sum, bits));
    }
  }

  /** What a row's values are multiplied by, from the sum of their squares. */
  F32 factor(PtxWriter w, F32 squares) {
    float eps = product.norm().orElseThrow().eps();
    var mean = w.fma(squares, Imm.real(1f / product.columns()), Imm.real(eps));
    return w.called("factor").div(Imm.real(1), w.sqrt(mean));
  }

  /**
   * Adds lanes up, and has a lane for each output and row finish and write it.
   *
   * @param factors of rows, if any
   */
  void end(PtxWriter w, Begun begun, List<F32> sums, List<F32> factors) {
    w.note("the lanes' sums become one");
    for (var sum : sums) addLanes(w, sum);
    if (!factors.isEmpty()) {
      w.note("a row's norm multiplies all of its sums");
      for (int i = 0; i < sums.size(); i++) {
        w.into(sums.get(i)).mul(sums.get(i), factors.get(i % rows));
      }
    }
    w.note("lane " + (rows == 1 ? "i" : rows + " i + j") + " has output i of row j");
    var mine = w.called("mine").mov(sums.get(0));
    var up = w.called("up").mov(sums.get(place(0, product.weights() - 1, 0)));
    for (int i = 0; i < outputsAWarp; i++) {
      for (int j = 0; j < rows; j++) {
        if (i + j == 0) continue;
        var isHere = w.is(Compare.EQ, begun.lane(), imm(i * rows + j));
        w.into(mine).select(isHere, sums.get(place(i, 0, j)), mine);
        if (product.isGated()) w.into(up).select(isHere, sums.get(place(i, 1, j)), up);
      }
    }
    var p = begun.parameters();
    var place = rows == 1 ? begun.lane() : w.shr(begun.lane(), imm(log2(rows)));
    var output = w.add(begun.output(), place);
    var first = isChosen ? w.read(Special.CTAID_Y) : begun.firstRow();
    var row = rows == 1 ? first : w.add(first, w.and(begun.lane(), imm(rows - 1)));
    var isOne = w.isUnsigned(Compare.LT, begun.lane(), imm(outputsAWarp * rows));
    var exists = w.isUnsigned(Compare.LT, output, imm(product.outputs()));
    var isAsked = w.isUnsigned(Compare.LT, row, p.rows());
    w.when(w.and(w.and(isOne, exists), isAsked), () -> p.finish(row, output, mine, up));
  }

  private static int log2(int power) {
    return Integer.numberOfTrailingZeros(power);
  }
}
