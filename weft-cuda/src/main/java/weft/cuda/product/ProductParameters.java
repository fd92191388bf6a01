package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/** What every product is launched with, in this order, and what is done with its sums. */
record ProductParameters(
    PtxWriter w,
    Product product,
    B64 weights,
    B64 upWeights,
    B64 x,
    B32 xStride,
    B64 y,
    B32 yStride,
    B64 bias,
    B64 upBias,
    B64 residual,
    B32 residualStride,
    B32 rows,
    Optional<B64> norm) {
  static ProductParameters declare(PtxWriter w, Product product) {
    return new ProductParameters(
        w,
        product,
        w.address("weights"),
        w.address("up_weights"),
        w.address("x"),
        w.word("x_stride"),
        w.address("y"),
        w.word("y_stride"),
        w.address("bias"),
        w.address("up_bias"),
        w.address("residual"),
        w.word("residual_stride"),
        w.word("rows"),
        product.norm().map(_ -> w.address("norm")));
  }

  /**
   * The row of weights that a row of a block's tile is, which goes on from one tile to the next by
   * {@code CTAID_Y}. Where two weights meet, so many outputs of the gate are followed by the same
   * of the other.
   *
   * @param tile rows of weights of a tile
   */
  B64 weightsRow(int tile, int together, B32 tileRow) {
    var block = w.read(Special.CTAID_Y);
    var base = weights;
    B32 output;
    if (product.isGated()) {
      int bits = Integer.numberOfTrailingZeros(together);
      var group = w.shl(w.shr(tileRow, imm(bits + 1)), imm(bits));
      output = w.add(w.mad(block, imm(tile / 2), group), w.and(tileRow, imm(together - 1)));
      var isUp = w.is(Compare.NE, w.and(tileRow, imm(together)), imm(0));
      base = w.select(isUp, upWeights, weights);
    } else {
      output = w.mad(block, imm(tile), tileRow);
    }
    var there = w.minUnsigned(output, imm(product.outputs() - 1));
    return w.called("row").madWide(there, imm(product.layout().rowBytes()), base);
  }

  /** Where an activation row begins. */
  B64 xRow(Word row) {
    return w.madWide(w.mul(row, xStride), imm(Float.BYTES), x);
  }

  /** Finishes the sum of an output and a row and writes it; {@code up} where two weights meet. */
  void finish(B32 row, B32 output, F32 sum, F32 up) {
    addBias(bias, output, sum);
    if (product.isGated()) addBias(upBias, output, up);
    var residuals = residuals(row, output, 1);
    var result = result(sum, up, residuals.isEmpty() ? sum : residuals.getFirst());
    w.store(Mem.global(place(row, output)), result);
  }

  /** Where an output of a row is written to. */
  B64 place(B32 row, B32 output) {
    return w.madWide(w.mad(row, yStride, output), imm(Float.BYTES), y);
  }

  /** What is added to an output of a row and those behind it, if anything; the last row's again. */
  List<F32> residuals(B32 row, B32 output, int count) {
    var residuals = new ArrayList<F32>();
    if (!(product.finish() instanceof Product.Finish.Add)) return residuals;
    for (int i = 0; i < count; i++) {
      var there = count == 1 ? row : w.minUnsigned(w.add(row, imm(i)), w.sub(rows, imm(1)));
      var at = w.madWide(w.mad(there, residualStride, output), imm(Float.BYTES), residual);
      residuals.add(w.loadReal(Mem.global(at)));
    }
    return residuals;
  }

  /** What becomes of sums that have their biases. */
  F32 result(F32 sum, F32 up, F32 added) {
    return switch (product.finish()) {
      case Product.Finish.None() -> sum;
      case Product.Finish.Add() -> w.add(sum, added);
      case Product.Finish.Gate(var fn) -> w.mul(new FnCode(w).of(fn, sum), up);
    };
  }

  /** An output's bias, or zero. */
  F32 bias(B64 from, B32 output) {
    var sum = w.called("bias").mov(real(0));
    addBias(from, output, sum);
    return sum;
  }

  private void addBias(B64 from, B32 output, F32 sum) {
    w.when(
        w.is(Compare.NE, from, wide(0)),
        () -> {
          var at = Mem.global(w.madWide(output, imm(Float.BYTES), from));
          w.into(sum).add(sum, w.loadReal(at, Cache.READ_ONLY));
        });
  }
}
