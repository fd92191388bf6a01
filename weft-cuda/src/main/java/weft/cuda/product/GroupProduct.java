package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.product.GroupStages.Copied;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * Many rows of activations on the tensor cores of compute capability 9.0: a block makes a tile of
 * 128 rows of activations times 256 or 128 rows of weights, by way of {@link GroupStages}.
 *
 * <p>Precision is that of {@link TensorProduct}.
 */
final class GroupProduct {
  private static final int ROWS = GroupStages.ROWS;
  private static final int THREADS = GroupStages.THREADS;

  /** Outputs of the gate that are followed by the same of the other, so that a lane has both. */
  static final int TOGETHER = 8;

  /** Bytes of all stages; a block of capability 9.0 can have 227 KiB. */
  static final int STAGES_BYTES = 192 * 1024;

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
    return columns % GroupStages.DEPTH == 0;
  }

  Grid grid(int rows) {
    int tiles = Math.ceilDiv(rows, ROWS);
    int outputs = Math.ceilDiv(product.outputs(), columns / product.weights());
    int shared = Math.max(STAGES_BYTES, ROWS * pitch() * Float.BYTES);
    int x = Math.min(tiles, ROW_TILES);
    return new Grid(x, outputs, Math.ceilDiv(tiles, ROW_TILES), THREADS, shared);
  }

  /** Floats of a row of finished sums: lanes of eight rows store two each to different banks. */
  private int pitch() {
    return columns + 8;
  }

  PtxFunction function() {
    w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var memory = w.called("memory").addressOf(w.dynamicShared(GroupStages.EIGHT_ROWS));
    var thread = w.called("thread").read(Special.TID_X);
    var rowTile = w.mad(w.read(Special.CTAID_Z), imm(ROW_TILES), w.read(Special.CTAID_X));
    var token = w.called("token").mul(rowTile, imm(ROWS));
    w.exitWhen(w.isUnsigned(Compare.GE, token, p.rows()));
    var element = new SomeRows(layout, ProductKernels.SOME).element();
    int count = STAGES_BYTES / GroupStages.bytes(columns);
    int steps = layout.columns() / GroupStages.DEPTH;
    var stages = new GroupStages(w, element, columns, count, steps);
    var copies = copies(stages, p, thread, token);
    var to = stages.to(memory, thread);
    stages.close(copies, to);
    var sums = stages.sums();
    stages.multiply(copies, memory, to, thread, sums);
    finish(p, memory, thread, token, sums);
    return w.function();
  }

  private List<Copied> copies(GroupStages stages, ProductParameters p, B32 thread, B32 token) {
    w.note("eight threads bring 64 values of a row, 16 bytes each");
    var row = w.called("tile_row").shr(thread, imm(3));
    var copies = new ArrayList<Copied>();
    var last = w.sub(p.rows(), imm(1));
    for (int i = 0; i < ROWS; i += GroupStages.COPIED_ROWS) {
      var mine = w.minUnsigned(w.add(w.add(token, row), imm(i)), last);
      var from = w.madWide(mine, imm(Short.BYTES * layout.columns()), p.x());
      copies.add(stages.copied("x_from", from, thread, i));
    }
    for (int i = 0; i < columns; i += GroupStages.COPIED_ROWS) {
      var from = p.weightsRow(columns, TOGETHER, w.add(row, imm(i)));
      copies.add(stages.copied("weights_from", from, thread, ROWS + i));
    }
    return copies;
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
