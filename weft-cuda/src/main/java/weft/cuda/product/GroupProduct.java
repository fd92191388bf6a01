package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;
import weft.cuda.ptx.Special;

/**
 * Many rows of activations on the tensor cores of compute capability 9.0, which four warps use
 * together ({@code wgmma}). A block makes a tile of {@value #ROWS} rows of activations times 256 or
 * 128 rows of weights, {@value #DEPTH} values deep at a time; each of its two groups of four warps
 * has half of the activations. Both factors are in shared memory, which tensor cores read
 * themselves, while threads copy what comes two stages later: one step is multiplied while the next
 * is waited for, so that tensor cores need not wait for threads.
 *
 * <p>Rows of a stage are 128 bytes. Of their eight sixteens, the i-th of row r lies at i xor r % 8,
 * so that the same sixteen of eight rows is in all banks.
 *
 * <p>Precision is that of {@link TensorProduct}.
 */
final class GroupProduct {
  private static final int ROWS = 128;
  private static final int DEPTH = 64;
  private static final int THREADS = 256;

  /** Rows of activations that a group of four warps multiplies. */
  private static final int GROUP_ROWS = 64;

  private static final int ROW_BYTES = DEPTH * Short.BYTES;

  /** Rows that threads copy at once, eight threads a row. */
  private static final int COPIED_ROWS = THREADS / 8;

  /** Outputs of the gate that are followed by the same of the other, so that a lane has both. */
  private static final int TOGETHER = 8;

  /** What the swizzle repeats after: eight rows. */
  private static final int EIGHT_ROWS = 8 * ROW_BYTES;

  /** Bytes of all stages; a block of capability 9.0 can have 227 KiB. */
  private static final int STAGES_BYTES = 192 * 1024;

  /** Stages that tensor cores may still read: the one that is multiplied and the one before. */
  private static final int IN_USE = 2;

  /** Multiprocessors of a large GPU. */
  private static final int MULTIPROCESSORS = 132;

  /** Tiles of rows that meet all weights before the next tiles do. */
  private static final int ROW_TILES = 16;

  private final Product product;
  private final RowLayout layout;
  private final int columns;
  private final PtxWriter w;

  /**
   * @param most rows of activations, by which the tile is chosen
   */
  static GroupProduct of(Product product, int most) {
    return new GroupProduct(
        product, rounds(product, most, 128) < rounds(product, most, 256) ? 128 : 256);
  }

  /** How long all tiles take, where every multiprocessor has one of so many weights at a time. */
  private static int rounds(Product product, int most, int columns) {
    int tiles =
        Math.ceilDiv(product.outputs() * product.weights(), columns) * Math.ceilDiv(most, ROWS);
    return Math.ceilDiv(tiles, MULTIPROCESSORS) * columns;
  }

  /**
   * @param columns of a tile: rows of weights, 128 or 256
   */
  GroupProduct(Product product, int columns) {
    this.product = product;
    this.columns = columns;
    layout = product.layout();
    w = new PtxWriter(product.name("group" + columns));
  }

  /** Whether these weights can be copied as they are, and there are rows enough for a tile. */
  static boolean takes(Product product, int most) {
    return most >= ROWS
        && TensorProduct.takes(product)
        && product.layout().form().isEmpty()
        && takes(product.columns());
  }

  /** Whether rows of so many values are whole steps. */
  static boolean takes(int columns) {
    return columns % DEPTH == 0;
  }

  Grid grid(int rows) {
    int tiles = Math.ceilDiv(rows, ROWS);
    int outputs = Math.ceilDiv(product.outputs(), columns / product.weights());
    int shared = Math.max(STAGES_BYTES, ROWS * pitch() * Float.BYTES);
    int x = Math.min(tiles, ROW_TILES);
    return new Grid(x, outputs, Math.ceilDiv(tiles, ROW_TILES), THREADS, shared);
  }

  private int stage() {
    return (ROWS + columns) * ROW_BYTES;
  }

  private int stages() {
    return STAGES_BYTES / stage();
  }

  private int steps() {
    return layout.columns() / DEPTH;
  }

  /** Floats of a row of finished sums: lanes of eight rows store two each to different banks. */
  private int pitch() {
    return columns + 8;
  }

  PtxFunction function() {
    w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var memory = w.called("memory").addressOf(w.dynamicShared(EIGHT_ROWS));
    var thread = w.called("thread").read(Special.TID_X);
    var rowTile = w.mad(w.read(Special.CTAID_Z), imm(ROW_TILES), w.read(Special.CTAID_X));
    var token = w.called("token").mul(rowTile, imm(ROWS));
    w.exitWhen(w.isUnsigned(Compare.GE, token, p.rows()));
    var copies = copies(p, thread, token);
    var to = w.called("to").add(memory, place(thread));
    for (int step = 0; step < stages() - IN_USE; step++) {
      if (step < steps()) bring(copies, w.add(to, imm(step * stage())));
      w.commitCopies();
    }
    var sums = Stream.generate(() -> w.called("sum").mov(real(0))).limit(columns / 2).toList();
    var group = w.shr(thread, imm(7));
    var a = w.called("a").mov(matrix(w.mad(group, imm(GROUP_ROWS * ROW_BYTES), memory)));
    var b = w.called("b").mov(matrix(w.add(memory, imm(ROWS * ROW_BYTES))));
    multiply(copies, to, a, b, sums);
    finish(p, memory, thread, token, sums);
    return w.function();
  }

  /** All steps. */
  private void multiply(List<Copied> copies, B32 to, B64 a, B64 b, List<F32> sums) {
    var adds = w.is(Compare.EQ, to, to);
    var read = w.called("read").mov(imm(0));
    var written = w.called("written").mov(imm((stages() - IN_USE) * stage()));
    w.count(
        "step",
        imm(0),
        imm(steps()),
        imm(1),
        step -> {
          w.note(
              "this step's factors are there, and all know that the one before the last is done");
          w.waitCopies(stages() - IN_USE - 1);
          w.sharedFence();
          w.barrier();
          begin(w.wide(w.shr(read, imm(4))), a, b, sums, adds);
          w.when(
              w.isUnsigned(Compare.LT, step, imm(Math.max(0, steps() - (stages() - IN_USE)))),
              () -> bring(copies, w.add(to, written)));
          w.commitCopies();
          w.awaitGroups(1);
          next(read);
          next(written);
        });
    w.awaitGroups(0);
  }

  /** The stage behind this one. */
  private void next(B32 stage) {
    w.into(stage).add(stage, imm(stage()));
    var isLast = w.is(Compare.EQ, stage, imm(stages() * stage()));
    w.into(stage).select(isLast, imm(0), stage);
  }

  /** Begins a step's products: 16 values at a time, which are two sixteens of bytes. */
  private void begin(B64 stage, B64 a, B64 b, List<F32> sums, Pred adds) {
    var element = new SomeRows(layout, ProductKernels.SOME).element();
    var left = w.add(a, stage);
    var right = w.add(b, stage);
    w.groupFence();
    for (int k = 0; k < DEPTH / 16; k++) {
      w.multiplyGroup(element, sums, w.add(left, wide(2 * k)), w.add(right, wide(2 * k)), adds);
    }
    w.commitGroup();
  }

  /**
   * The descriptor of a matrix of halves at an address, eight rows behind eight. In sixteens of
   * bytes: bits 0 to 13 the address, 16 to 29 a step that swizzled rows do not have, 32 to 45 the
   * step of eight rows; bits 62 and 63 the swizzle, 1 for that of 128 bytes.
   */
  private B64 matrix(B32 address) {
    return w.add(
        w.wide(w.shr(address, imm(4))), wide(1L << 16 | (long) (EIGHT_ROWS / 16) << 32 | 1L << 62));
  }

  /** Where in a stage a thread's first sixteen bytes go: the others are a number of rows on. */
  private B32 place(B32 thread) {
    var row = w.shr(thread, imm(3));
    var sixteen = w.xor(w.and(thread, imm(7)), w.and(row, imm(7)));
    return w.mad(row, imm(ROW_BYTES), w.shl(sixteen, imm(4)));
  }

  /**
   * Sixteen bytes that a thread copies in each step.
   *
   * @param from where they are in the next step
   * @param to where in a stage they go, beyond the thread's place
   */
  private record Copied(B64 from, int to) {}

  private List<Copied> copies(ProductParameters p, B32 thread, B32 token) {
    w.note("eight threads bring 64 values of a row, 16 bytes each");
    var row = w.called("tile_row").shr(thread, imm(3));
    var beyond = w.shl(w.and(thread, imm(7)), imm(4));
    var copies = new ArrayList<Copied>();
    var last = w.sub(p.rows(), imm(1));
    for (int i = 0; i < ROWS; i += COPIED_ROWS) {
      var mine = w.minUnsigned(w.add(w.add(token, row), imm(i)), last);
      var from = w.madWide(mine, imm(Short.BYTES * layout.columns()), p.x());
      copies.add(new Copied(w.called("x_from").add(from, w.wide(beyond)), i * ROW_BYTES));
    }
    for (int i = 0; i < columns; i += COPIED_ROWS) {
      var from = p.weightsRow(columns, TOGETHER, w.add(row, imm(i)));
      copies.add(
          new Copied(w.called("weights_from").add(from, w.wide(beyond)), (ROWS + i) * ROW_BYTES));
    }
    return copies;
  }

  private void bring(List<Copied> copies, B32 to) {
    for (var copy : copies) {
      w.copy16(Mem.shared(to).plus(copy.to), Mem.global(copy.from));
      w.into(copy.from).add(copy.from, wide(ROW_BYTES));
    }
  }

  /** Sums go through shared memory, so that threads side by side write outputs side by side. */
  private void finish(ProductParameters p, B32 memory, B32 thread, B32 token, List<F32> sums) {
    w.note("the tile's sums, output by output of each row of activations");
    w.barrier();
    var lane = w.and(thread, imm(31));
    var row = w.mad(w.shr(thread, imm(5)), imm(16), w.shr(lane, imm(2)));
    var column = w.shl(w.and(lane, imm(3)), imm(1));
    var at = Mem.shared(w.mad(w.mad(row, imm(pitch()), column), imm(Float.BYTES), memory));
    for (int i = 0; i < sums.size(); i += 2) {
      int place = i % 4 / 2 * 8 * pitch() + i / 4 * 8;
      w.storeReals(at.plus(place * Float.BYTES), sums.subList(i, i + 2));
    }
    w.barrier();
    new TileSums(w, p, columns, ROWS, THREADS, pitch(), TOGETHER)
        .write(memory, thread, token, w.read(Special.CTAID_Y));
  }
}
