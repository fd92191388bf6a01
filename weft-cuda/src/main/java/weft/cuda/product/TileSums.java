package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.ArrayList;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;

/**
 * Finishes the sums of a tile, which lie in shared memory row by row of activations, so that
 * threads side by side write outputs side by side.
 *
 * @param sums of a row, a power of two; with a gate, two for each output
 * @param rows of activations
 * @param threads a multiple of the outputs
 * @param pitch floats from one row to the next
 * @param together so many sums of the gate are followed by the same of the other
 */
record TileSums(
    PtxWriter w, ProductParameters p, int sums, int rows, int threads, int pitch, int together) {
  /** Rows whose residuals are on their way at once. */
  private static final int AT_ONCE = 8;

  /**
   * Ends threads whose outputs do not exist.
   *
   * @param token the tile's first row
   * @param tile the number of tiles of outputs before this one
   */
  void write(B32 memory, B32 thread, B32 token, B32 tile) {
    var product = p.product();
    int outputs = sums / product.weights();
    int shares = threads / outputs;
    var mine = shares == 1 ? thread : w.and(thread, imm(outputs - 1));
    var output = w.called("output").mad(tile, imm(outputs), mine);
    w.exitWhen(w.isUnsigned(Compare.GE, output, imm(product.outputs())));
    var bias = p.bias(p.bias(), output);
    var upBias = product.isGated() ? p.bias(p.upBias(), output) : bias;
    var share = w.shr(thread, imm(Integer.numberOfTrailingZeros(outputs)));
    var first = w.mul(share, imm(rows / shares));
    var place = product.isGated() ? w.add(mine, w.and(mine, imm(-together))) : mine;
    w.count(
        "row",
        first,
        w.add(first, imm(rows / shares)),
        imm(AT_ONCE),
        row -> {
          var from = Mem.shared(w.mad(w.mad(row, imm(pitch), place), imm(Float.BYTES), memory));
          var there = w.add(token, row);
          var results = new ArrayList<F32>();
          var residuals = p.residuals(there, output, AT_ONCE);
          for (int i = 0; i < AT_ONCE; i++) {
            var at = from.plus(i * pitch * Float.BYTES);
            var sum = w.add(w.loadReal(at), bias);
            var up = product.isGated() ? w.loadReal(at.plus(together * Float.BYTES)) : sum;
            if (product.isGated()) up = w.add(up, upBias);
            results.add(p.result(sum, up, residuals.isEmpty() ? sum : residuals.get(i)));
          }
          for (int i = 0; i < AT_ONCE; i++) {
            var each = w.add(there, imm(i));
            var result = results.get(i);
            var to = Mem.global(p.place(each, output));
            w.guarded(w.isUnsigned(Compare.LT, each, p.rows()), () -> w.store(to, result));
          }
        });
  }
}
