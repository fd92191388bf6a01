package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
 * Many rows of activations on tensor cores. A block makes a tile of {@value #OUTPUTS} rows of
 * weights times {@value #TOKENS} rows of activations, {@value #DEPTH} values deep at a time: both
 * become halves (bfloat16 where the weights are) on their way into shared memory, of which there
 * are two stages, and each warp multiplies a quarter of the outputs with half of the activations.
 *
 * <p>Factors have 11 bits (8 of bfloat16), sums are floats: a result of k products differs from the
 * exact one by some {@code 2^-11 sqrt(k)} of a product's size (2^-8 for bfloat16).
 */
final class TensorProduct {
  static final int OUTPUTS = 128;
  static final int TOKENS = 64;
  static final int DEPTH = 64;

  private static final int THREADS = 256;

  /** Bytes of a tile's row: 16 more than it has, so that eight rows lie in different banks. */
  private static final int PITCH = 2 * DEPTH + 16;

  private static final int TILE = OUTPUTS * PITCH;
  private static final int STAGE = TILE + TOKENS * PITCH;

  /** What a warp multiplies: two tiles of 16 outputs, four of 8 rows of activations. */
  private static final int WARP_OUTPUTS = 32;

  private static final int WARP_TOKENS = 32;

  private final Product product;
  private final RowLayout layout;
  private final PtxWriter w;
  private final TensorStage stage;

  TensorProduct(Product product) {
    this.product = product;
    layout = product.layout();
    w = new PtxWriter(product.name("many"));
    stage = new TensorStage(w, layout);
  }

  /** Whether these weights can be factors: floats of 32 bits would lose what they are kept for. */
  static boolean takes(Product product) {
    var layout = product.layout();
    return layout.form().isPresent()
        || (layout.floats() != RowLayout.Floats.F32 && layout.columns() % PackedForm.RUN == 0);
  }

  Grid grid(int rows) {
    int x = Math.ceilDiv(product.outputs(), OUTPUTS / product.weights());
    return new Grid(x, Math.ceilDiv(rows, TOKENS), 1, THREADS, 2 * STAGE);
  }

  PtxFunction function() {
    w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var memory = w.called("memory").addressOf(w.dynamicShared());
    var thread = w.called("thread").read(Special.TID_X);
    var token = w.called("token").mul(w.read(Special.CTAID_Y), imm(TOKENS));
    w.note("two threads bring a row of weights, a run of 32 values each");
    var tileRow = w.called("tile_row").shr(thread, imm(1));
    var row = weightsRow(p, tileRow);
    var part = w.called("part").and(thread, imm(1));
    w.note("four threads bring a row of activations, 16 values each");
    var xRow = w.called("x_row").shr(thread, imm(2));
    var last = w.sub(p.rows(), imm(1));
    var x = w.called("x_from").mov(p.xRow(w.minUnsigned(w.add(token, xRow), last)));
    var quarter = w.called("quarter").and(thread, imm(3));
    var weightsTo = w.mad(tileRow, imm(PITCH), w.mad(part, imm(DEPTH), memory));
    var xTo = w.mad(xRow, imm(PITCH), w.mad(quarter, imm(DEPTH / 2), w.add(memory, imm(TILE))));
    var sums = new ArrayList<List<F32>>();
    for (int i = 0; i < 8; i++) {
      sums.add(IntStream.range(0, 4).mapToObj(_ -> w.called("sum").mov(real(0))).toList());
    }
    var places = places(thread, memory);
    int steps = Math.ceilDiv(layout.columns(), DEPTH);
    var toggle = w.called("stage").mov(imm(0));
    var loaded = stage.load(row, x, part, quarter, w.mov(imm(0)));
    var carried = loaded.stream().map(r -> w.called("next").mov(r)).toList();
    w.count(
        "step",
        imm(0),
        imm(steps),
        imm(1),
        step -> {
          w.note("the next step's loads are on their way while this one is multiplied");
          var nextStep = w.minUnsigned(w.add(step, imm(1)), imm(steps - 1));
          var next = stage.load(row, x, part, quarter, nextStep);
          stage.storeWeights(carried, Mem.shared(w.add(weightsTo, toggle)));
          stage.storeActivations(carried, quarter, step, Mem.shared(w.add(xTo, toggle)));
          w.barrier();
          multiply(places, toggle, sums);
          w.into(toggle).sub(imm(STAGE), toggle);
          for (int i = 0; i < next.size(); i++) w.into(carried.get(i)).mov(next.get(i));
        });
    finish(p, thread, token, sums);
    return w.function();
  }

  /**
   * The row of weights that a row of the tile is. Where two weights meet, a warp has 16 outputs of
   * the gate and the same of the other, so that each lane has both.
   */
  private B64 weightsRow(ProductParameters p, B32 tileRow) {
    var block = w.read(Special.CTAID_X);
    var base = p.weights();
    B32 output;
    if (product.isGated()) {
      var group = w.shl(w.shr(tileRow, imm(5)), imm(4));
      output = w.add(w.mad(block, imm(OUTPUTS / 2), group), w.and(tileRow, imm(15)));
      var isUp = w.is(Compare.NE, w.and(tileRow, imm(16)), imm(0));
      base = w.select(isUp, p.upWeights(), p.weights());
    } else {
      output = w.mad(block, imm(OUTPUTS), tileRow);
    }
    var there = w.minUnsigned(output, imm(product.outputs() - 1));
    return w.called("row").madWide(there, imm(layout.rowBytes()), base);
  }

  /** Where a lane's rows of matrices begin, of weights and of activations. */
  private record Places(B32 weights, B32 activations) {}

  private Places places(B32 thread, B32 memory) {
    var lane = w.called("lane").and(thread, imm(31));
    var warp = w.called("warp").shr(thread, imm(5));
    // Lanes 0 to 15 give rows, 16 to 31 the same rows eight values on.
    var outputRow = w.mad(w.and(warp, imm(3)), imm(WARP_OUTPUTS), w.and(lane, imm(15)));
    var outputSide = w.shl(w.shr(lane, imm(4)), imm(4));
    var weights = w.add(w.mad(outputRow, imm(PITCH), outputSide), memory);
    // Of activations, lanes 0 to 7 give rows, 8 to 15 those eight values on, then eight rows more.
    var upper = w.shl(w.shr(lane, imm(4)), imm(3));
    var tokenRow = w.add(w.and(lane, imm(7)), upper);
    w.into(tokenRow).mad(w.shr(warp, imm(2)), imm(WARP_TOKENS), tokenRow);
    var tokenSide = w.shl(w.and(w.shr(lane, imm(3)), imm(1)), imm(4));
    var activations = w.add(w.mad(tokenRow, imm(PITCH), tokenSide), memory);
    return new Places(w.called("a").mov(weights), w.called("b").add(activations, imm(TILE)));
  }

  private void multiply(Places places, B32 toggle, List<List<F32>> sums) {
    var a = Mem.shared(w.add(places.weights(), toggle));
    var b = Mem.shared(w.add(places.activations(), toggle));
    for (int k = 0; k < DEPTH; k += 16) {
      var left = new ArrayList<List<B32>>();
      for (int i = 0; i < 2; i++) left.add(w.matrices4(a.plus(i * 16 * PITCH + 2 * k)));
      for (int j = 0; j < 2; j++) {
        var right = w.matrices4(b.plus(j * 16 * PITCH + 2 * k));
        for (int i = 0; i < 2; i++) {
          stage.multiply(sums.get(i * 4 + 2 * j), left.get(i), right.subList(0, 2));
          stage.multiply(sums.get(i * 4 + 2 * j + 1), left.get(i), right.subList(2, 4));
        }
      }
    }
  }

  /** Lane l has outputs l / 4 and eight more of rows l % 4 * 2 and the next. */
  private void finish(ProductParameters p, B32 thread, B32 token, List<List<F32>> sums) {
    var lane = w.and(thread, imm(31));
    var warp = w.shr(thread, imm(5));
    int outputsAWarp = WARP_OUTPUTS / product.weights();
    var block = w.mul(w.read(Special.CTAID_X), imm(OUTPUTS / product.weights()));
    var output = w.add(w.mad(w.and(warp, imm(3)), imm(outputsAWarp), block), w.shr(lane, imm(2)));
    var row = w.add(w.mad(w.shr(warp, imm(2)), imm(WARP_TOKENS), token), twice(lane));
    for (int i = 0; i < 2 / product.weights(); i++) {
      for (int upper = 0; upper < 2; upper++) {
        var mine = w.add(output, imm(16 * i + 8 * upper));
        var exists = w.isUnsigned(Compare.LT, mine, imm(product.outputs()));
        for (int j = 0; j < 4; j++) {
          for (int side = 0; side < 2; side++) {
            var sum = sums.get(4 * i + j).get(2 * upper + side);
            var up = sums.get(4 * (product.weights() - 1) + j).get(2 * upper + side);
            write(p, w.add(row, imm(8 * j + side)), mine, exists, sum, up);
          }
        }
      }
    }
  }

  private void write(ProductParameters p, B32 row, B32 output, Pred exists, F32 sum, F32 up) {
    var isAsked = w.isUnsigned(Compare.LT, row, p.rows());
    w.when(w.and(exists, isAsked), () -> p.finish(row, output, sum, up));
  }

  private B32 twice(B32 lane) {
    return w.shl(w.and(lane, imm(3)), imm(1));
  }
}
