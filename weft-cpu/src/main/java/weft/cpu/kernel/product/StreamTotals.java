package weft.cpu.kernel.product;

import static weft.cpu.asm.VectorOp.VPADDD;
import static weft.cpu.asm.VectorOp.VPUNPCKHDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKHQDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLQDQ;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * Integers of four streams, a vector each, become a lane a stream: whole numbers do not mind in
 * which order they are added up, so a row alone comes to what it comes to in company.
 */
record StreamTotals(KernelWriter w, Vec t) {
  /**
   * The sum of each 128 bits of {@code of}, in their lane of the same 128 bits of {@code to}, where
   * there are four; of one vector alone, in every lane. Changes the vectors, of which {@code to}
   * may be the first.
   */
  void ofQuarters(Vec to, Vec... of) {
    var last = of.length == 1 ? of[0] : of[2];
    for (int pair = 0; pair < of.length; pair += 2) {
      var a = of[pair];
      var b = of.length == 1 ? a : of[pair + 1];
      w.op(VPUNPCKHDQ, t, a, b);
      w.op(VPUNPCKLDQ, a, a, b);
      w.op(VPADDD, a, a, t);
    }
    w.op(VPUNPCKHQDQ, t, of[0], last);
    w.op(VPUNPCKLQDQ, to, of[0], last);
    w.op(VPADDD, to, to, t);
  }
}
