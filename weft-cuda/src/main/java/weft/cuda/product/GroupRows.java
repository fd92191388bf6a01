package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.product.GroupStages.Copied;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * Up to 64 rows of activations and weights that are halves, on the tensor cores of compute
 * capability 9.0: what {@link TensorRows} does for all others, by way of {@link GroupStages}. A
 * block has 128 rows of weights, which are the rows of its sums; activations are their columns, as
 * sums of two halves where {@link SomeRows} has them so. Blocks may share rows ({@link RowSplit}).
 *
 * <p>Where each multiprocessor has a block at most, that one has all of its memory, so that much is
 * on its way, and so that no multiprocessor takes two while another has none.
 */
final class GroupRows {
  private static final int THREADS = GroupStages.THREADS;
  private static final int MULTIPROCESSORS = 132;

  /** Measured on an H200: steps of 64 values. */
  private static final RowSplit.Pace PACE = new RowSplit.Pace(0.48, 0.28, true);

  private final Product product;
  private final SomeRows x;
  private final RowSplit split;
  private final PtxWriter w;

  GroupRows(Product product, int rows) {
    this(product, rows, Optional.empty());
  }

  /**
   * @param parts of a row, where they are not for {@link RowSplit} to choose
   */
  GroupRows(Product product, int rows, Optional<Integer> parts) {
    this.product = product;
    x = new SomeRows(product.layout(), rows);
    int steps = product.columns() / GroupStages.DEPTH;
    var chosen = RowSplit.of(product, steps, PACE);
    split = parts.map(n -> new RowSplit(chosen.blocks(), steps, n)).orElse(chosen);
    w = new PtxWriter(product.name("group_rows" + rows));
  }

  /** Whether these weights can be copied as they are. */
  static boolean takes(Product product) {
    return TensorProduct.takes(product)
        && product.layout().form().isEmpty()
        && GroupProduct.takes(product.columns());
  }

  /** Rows of halves: the sums' columns. */
  private int columns() {
    return x.parts() * x.rows();
  }

  private int stages() {
    boolean isAlone = split.blocks() * split.parts() <= MULTIPROCESSORS;
    int bytes = isAlone ? GroupProduct.STAGES_BYTES : GroupProduct.STAGES_BYTES / 2;
    return bytes / GroupStages.bytes(columns());
  }

  Grid grid(int count) {
    return new Grid(
        split.parts(),
        split.blocks(),
        Math.ceilDiv(count, x.rows()),
        THREADS,
        stages() * GroupStages.bytes(columns()));
  }

  /** What blocks that share rows leave for each other, in launches of so many rows. */
  Meeting meeting(int count) {
    return Meeting.of(split, Math.ceilDiv(count, x.rows()), columns() / 8, THREADS);
  }

  PtxFunction function() {
    w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var met = Meeting.Code.declare(w, split);
    var memory = w.called("memory").addressOf(w.dynamicShared(GroupStages.EIGHT_ROWS));
    var thread = w.called("thread").read(Special.TID_X);
    int steps = split.pieces() / split.parts();
    var stages = new GroupStages(w, x.element(), columns(), stages(), steps);
    var to = stages.to(memory, thread);
    w.note("the first weights are on their way before activations are there");
    var begin = w.mulWide(w.read(Special.CTAID_X), imm(steps * GroupStages.DEPTH * Short.BYTES));
    var weights = weights(stages, p, thread, begin);
    stages.open(weights, to);
    w.awaitLast();
    var activations = activations(stages, p, thread, begin);
    stages.close(activations, to);
    var sums = stages.sums();
    var copies = new ArrayList<>(weights);
    copies.addAll(activations);
    stages.multiply(copies, memory, to, thread, sums);
    var fours = new ArrayList<List<F32>>();
    for (int i = 0; i < sums.size(); i += 4) fours.add(sums.subList(i, i + 4));
    met.ifPresent(meeting -> meeting.join(split, THREADS, thread, memory, fours));
    var lane = w.and(thread, imm(31));
    int warpOutputs = RowSplit.BLOCK_ROWS * 32 / THREADS / product.weights();
    var warp = w.mad(w.read(Special.CTAID_Y), imm(THREADS / 32), w.shr(thread, imm(5)));
    var output = w.mad(warp, imm(warpOutputs), w.shr(lane, imm(2)));
    new LaneResults(w, p, x.rows(), x.parts()).write(output, lane, fours);
    return w.function();
  }

  private List<Copied> weights(GroupStages stages, ProductParameters p, B32 thread, B64 begin) {
    var row = w.called("tile_row").shr(thread, imm(3));
    var copies = new ArrayList<Copied>();
    for (int i = 0; i < GroupStages.ROWS; i += GroupStages.COPIED_ROWS) {
      var from = p.weightsRow(RowSplit.BLOCK_ROWS, GroupProduct.TOGETHER, w.add(row, imm(i)));
      copies.add(stages.copied("weights_from", w.add(from, begin), thread, i));
    }
    return copies;
  }

  private List<Copied> activations(GroupStages stages, ProductParameters p, B32 thread, B64 begin) {
    int rowBytes = product.columns() * Short.BYTES;
    var row = w.mad(w.read(Special.CTAID_Z), imm(columns()), w.shr(thread, imm(3)));
    var first = w.add(w.madWide(row, imm(rowBytes), p.x()), begin);
    var copies = new ArrayList<Copied>();
    for (int i = 0; i < columns(); i += GroupStages.COPIED_ROWS) {
      var from = i == 0 ? first : w.add(first, wide((long) i * rowBytes));
      copies.add(stages.copied("x_from", from, thread, GroupStages.ROWS + i));
    }
    return copies;
  }
}
