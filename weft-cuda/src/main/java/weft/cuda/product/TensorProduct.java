package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * Many rows of activations on tensor cores. A block makes a tile of {@value #OUTPUTS} rows of
 * weights times 128 or 64 rows of activations, {@value #DEPTH} values deep at a time. Both are
 * halves (bfloat16 where the weights are) in shared memory, of which there are {@value #STAGES}
 * stages: three are on their way while one is multiplied. Each of four warps multiplies half of the
 * outputs with half of the activations, so that a matrix that is loaded meets four or eight others.
 *
 * <p>Factors have 11 bits (8 of bfloat16), sums are floats: a result of k products differs from the
 * exact one by some {@code 2^-11 sqrt(k)} of a product's size (2^-8 for bfloat16).
 */
final class TensorProduct {
  static final int OUTPUTS = 128;

  /** Outputs of the gate that are followed by the same of the other. */
  private static final int TOGETHER = 16;

  static final int DEPTH = 32;
  static final int STAGES = 4;

  private static final int THREADS = 128;

  /** Blocks that keep every multiprocessor of a large GPU busy. */
  private static final int ENOUGH_BLOCKS = 132;

  /**
   * Tiles of rows that meet all weights before the next tiles do. Blocks that run at once, some 264
   * on a large GPU, have then about as many tiles of outputs as of rows, and what they read a
   * second time is in its cache.
   */
  private static final int ROW_TILES = 16;

  /** Bytes of a stage's row: 16 more than it has, so that eight rows lie in different banks. */
  private static final int PITCH = 2 * DEPTH + 16;

  private static final int WEIGHTS = OUTPUTS * PITCH;

  /** Floats of a row of finished sums, four more than it has, for the same reason. */
  private static final int SUMS = OUTPUTS + 4;

  private final Product product;
  private final RowLayout layout;
  private final int tokens;
  private final PtxWriter w;

  /** How a packed run lies in registers. */
  private Optional<RunCode.Loaded> runs = Optional.empty();

  /**
   * @param most rows of activations, by which the tile is chosen
   */
  TensorProduct(Product product, int most) {
    this.product = product;
    layout = product.layout();
    int blocks = Math.ceilDiv(product.outputs() * product.weights(), OUTPUTS);
    tokens = blocks * Math.ceilDiv(most, 128) >= ENOUGH_BLOCKS ? 128 : 64;
    w = new PtxWriter(product.name("many" + tokens));
  }

  /** Whether these weights can be factors: floats of 32 bits would lose what they are kept for. */
  static boolean takes(Product product) {
    var layout = product.layout();
    return layout.form().isPresent()
        || (layout.floats() != RowLayout.Floats.F32 && layout.columns() % PackedForm.RUN == 0);
  }

  Grid grid(int rows) {
    int tiles = Math.ceilDiv(rows, tokens);
    int outputs = Math.ceilDiv(product.outputs(), OUTPUTS / product.weights());
    int shared = Math.max(STAGES * stage(), tokens * SUMS * Float.BYTES);
    int x = Math.min(tiles, ROW_TILES);
    return new Grid(x, outputs, Math.ceilDiv(tiles, ROW_TILES), THREADS, shared);
  }

  private int stage() {
    return WEIGHTS + tokens * PITCH;
  }

  private int steps() {
    return layout.columns() / DEPTH;
  }

  private boolean isPacked() {
    return layout.form().isPresent();
  }

  PtxFunction function() {
    w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var memory = w.called("memory").addressOf(w.dynamicShared());
    var thread = w.called("thread").read(Special.TID_X);
    var rowTile = w.mad(w.read(Special.CTAID_Z), imm(ROW_TILES), w.read(Special.CTAID_X));
    var token = w.called("token").mul(rowTile, imm(tokens));
    w.exitWhen(w.isUnsigned(Compare.GE, token, p.rows()));
    w.note("four threads bring 32 values of a row, 16 bytes each");
    var row = w.called("tile_row").shr(thread, imm(2));
    var piece = w.called("piece").and(thread, imm(3));
    var to = w.called("to").mad(row, imm(PITCH), w.mad(piece, imm(16), memory));
    var copies = new ArrayList<Copied>();
    if (!isPacked()) {
      for (int i = 0; i < OUTPUTS; i += 32) {
        var from = w.madWide(piece, imm(16), p.weightsRow(OUTPUTS, TOGETHER, w.add(row, imm(i))));
        copies.add(new Copied(w.called("weights_from").mov(from), i * PITCH));
      }
    }
    var last = w.sub(p.rows(), imm(1));
    for (int i = 0; i < tokens; i += 32) {
      var mine = w.minUnsigned(w.add(w.add(token, row), imm(i)), last);
      var from = w.madWide(mine, imm(Short.BYTES * layout.columns()), p.x());
      var vector = w.called("x_from").madWide(piece, imm(16), from);
      copies.add(new Copied(vector, WEIGHTS + i * PITCH));
    }
    for (int step = 0; step < STAGES - 1; step++) {
      bring(copies, w.mov(imm(Math.min(step, steps() - 1))), w.add(to, imm(step * stage())));
    }
    var packed = isPacked() ? Optional.of(new Packed(p, thread, memory)) : Optional.<Packed>empty();
    var sums = new ArrayList<List<F32>>();
    for (int i = 0; i < 4 * tokens / 16; i++) {
      sums.add(Stream.generate(() -> w.called("sum").mov(real(0))).limit(4).toList());
    }
    var places = places(thread, memory);
    w.count(
        "step",
        imm(0),
        imm(steps()),
        imm(1),
        step -> {
          w.note("this step's factors are there, and nobody reads the last one's any more");
          w.waitCopies(STAGES - 2);
          w.barrier();
          var coming = w.add(step, imm(STAGES - 1));
          bring(copies, w.minUnsigned(coming, imm(steps() - 1)), w.add(to, stage(coming)));
          packed.ifPresent(weights -> weights.bring(step));
          multiply(places, stage(step), sums);
        });
    finish(p, memory, thread, token, sums);
    return w.function();
  }

  /** Where the stage of a step begins. */
  private B32 stage(B32 step) {
    return w.mul(w.and(step, imm(STAGES - 1)), imm(stage()));
  }

  /**
   * Sixteen bytes that a thread brings in each step.
   *
   * @param from where they are in the first step
   * @param to where in a stage they go, beyond the thread's place
   */
  private record Copied(B64 from, int to) {}

  private void bring(List<Copied> copies, B32 step, B32 to) {
    for (var copy : copies) {
      var from = w.madWide(step, imm(Short.BYTES * DEPTH), copy.from);
      w.copy16(Mem.shared(to).plus(copy.to), Mem.global(from));
    }
    w.commitCopies();
  }

  /** Packed weights: a thread has a row's run of a step, which is loaded a step before. */
  private final class Packed {
    private final B64 row;
    private final B32 to;
    private final List<B32> carried;

    Packed(ProductParameters p, B32 thread, B32 memory) {
      row = p.weightsRow(OUTPUTS, TOGETHER, thread);
      to = w.called("run_to").mad(thread, imm(PITCH), memory);
      for (int step = 0; step < STAGES - 2; step++) {
        store(load(w.mov(imm(Math.min(step, steps() - 1)))), Mem.shared(to).plus(step * stage()));
      }
      var next = load(w.mov(imm(Math.min(STAGES - 2, steps() - 1))));
      carried = next.stream().map(word -> w.called("next").mov(word)).toList();
    }

    private List<B32> load(B32 step) {
      runs = Optional.of(new RunCode(w, layout).load(row, step));
      return runs.get().words();
    }

    private void store(List<B32> loaded, Mem at) {
      var pairs = new RunCode(w, layout).halves(runs.orElseThrow().in(loaded));
      for (int i = 0; i < pairs.size(); i += 4) {
        w.storeWords(at.plus(4 * i), pairs.subList(i, i + 4));
      }
    }

    /** Stores the run of the step after the next, and has that of the one behind it loaded. */
    void bring(B32 step) {
      var next = load(w.minUnsigned(w.add(step, imm(STAGES - 1)), imm(steps() - 1)));
      store(carried, Mem.shared(w.add(to, stage(w.add(step, imm(STAGES - 2))))));
      for (int i = 0; i < next.size(); i++) w.into(carried.get(i)).mov(next.get(i));
    }
  }

  /** Where a lane's rows of matrices begin, of weights and of activations. */
  private record Places(B32 weights, B32 activations) {}

  private Places places(B32 thread, B32 memory) {
    var lane = w.called("lane").and(thread, imm(31));
    var warp = w.called("warp").shr(thread, imm(5));
    // Lanes 0 to 15 give rows, 16 to 31 the same rows eight values on.
    var outputRow = w.mad(w.and(warp, imm(1)), imm(OUTPUTS / 2), w.and(lane, imm(15)));
    var outputSide = w.shl(w.shr(lane, imm(4)), imm(4));
    var weights = w.add(w.mad(outputRow, imm(PITCH), outputSide), memory);
    // Of activations, lanes 0 to 7 give rows, 8 to 15 those eight values on, then eight rows more.
    var upper = w.shl(w.shr(lane, imm(4)), imm(3));
    var tokenRow = w.add(w.and(lane, imm(7)), upper);
    w.into(tokenRow).mad(w.shr(warp, imm(1)), imm(tokens / 2), tokenRow);
    var tokenSide = w.shl(w.and(w.shr(lane, imm(3)), imm(1)), imm(4));
    var activations = w.add(w.mad(tokenRow, imm(PITCH), tokenSide), memory);
    return new Places(w.called("a").mov(weights), w.called("b").add(activations, imm(WEIGHTS)));
  }

  private void multiply(Places places, B32 stage, List<List<F32>> sums) {
    var element = new SomeRows(layout, ProductKernels.SOME).element();
    var a = Mem.shared(w.add(places.weights(), stage));
    var b = Mem.shared(w.add(places.activations(), stage));
    int columns = tokens / 16;
    for (int k = 0; k < DEPTH; k += 16) {
      var left = new ArrayList<List<B32>>();
      for (int i = 0; i < 4; i++) left.add(w.matrices4(a.plus(i * 16 * PITCH + 2 * k)));
      for (int j = 0; j < columns; j += 2) {
        var right = w.matrices4(b.plus(j * 8 * PITCH + 2 * k));
        for (int i = 0; i < 4; i++) {
          w.multiply(element, sums.get(i * columns + j), left.get(i), right.subList(0, 2));
          w.multiply(element, sums.get(i * columns + j + 1), left.get(i), right.subList(2, 4));
        }
      }
    }
  }

  /** Sums go through shared memory, so that threads side by side write outputs side by side. */
  private void finish(
      ProductParameters p, B32 memory, B32 thread, B32 token, List<List<F32>> sums) {
    w.note("the tile's sums, output by output of each row of activations");
    w.waitCopies(0);
    w.barrier();
    var lane = w.and(thread, imm(31));
    var warp = w.shr(thread, imm(5));
    var output = w.mad(w.and(warp, imm(1)), imm(OUTPUTS / 2), w.shr(lane, imm(2)));
    var column = w.mad(w.shr(warp, imm(1)), imm(tokens / 2), w.shl(w.and(lane, imm(3)), imm(1)));
    var at = Mem.shared(w.mad(w.mad(column, imm(SUMS), output), imm(Float.BYTES), memory));
    int columns = tokens / 16;
    for (int i = 0; i < sums.size(); i++) {
      for (int part = 0; part < 4; part++) {
        int row = i % columns * 8 + part % 2;
        int place = row * SUMS + i / columns * 16 + part / 2 * 8;
        w.store(at.plus(place * Float.BYTES), sums.get(i).get(part));
      }
    }
    w.barrier();
    new TileSums(w, p, OUTPUTS, tokens, THREADS, SUMS, TOGETHER)
        .write(memory, thread, token, w.read(Special.CTAID_Y));
  }
}
