package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.wide;

import java.util.Optional;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

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

  /** Where an activation row begins. */
  B64 xRow(Word row) {
    return w.madWide(w.mul(row, xStride), imm(Float.BYTES), x);
  }

  /** Finishes the sum of an output and a row and writes it; {@code up} where two weights meet. */
  void finish(B32 row, B32 output, F32 sum, F32 up) {
    addBias(bias, output, sum);
    var result =
        switch (product.finish()) {
          case Product.Finish.None() -> sum;
          case Product.Finish.Add() -> {
            var at = w.madWide(w.mad(row, residualStride, output), imm(Float.BYTES), residual);
            yield w.add(sum, w.loadReal(Mem.global(at)));
          }
          case Product.Finish.Gate(var fn) -> {
            addBias(upBias, output, up);
            yield w.mul(new FnCode(w).of(fn, sum), up);
          }
        };
    var at = w.madWide(w.mad(row, yStride, output), imm(Float.BYTES), y);
    w.store(Mem.global(at), result);
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
