package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VINSERTI32X4;
import static weft.cpu.asm.VectorOp.VPUNPCKHDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKHQDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLQDQ;

import java.util.function.IntFunction;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;

/**
 * Sixteen rows of packed weights, read side by side: a register of 512 bits has four bytes of each,
 * in the lane of its number.
 *
 * @param rows where each row's block begins
 */
public record Abreast(KernelWriter w, IntFunction<Place> rows) {
  public static final int ROWS = 16;

  /** The registers that {@link #sixteen} works in. */
  static final int REGISTERS = 6;

  /** The bytes that {@link #sixteen} reads of a row. */
  static final int BYTES = 16;

  /** Sixteen bytes of each row, four in each of four registers among {@code in}. */
  Vec[] sixteen(int offset, Vec[] in) {
    for (int i = 0; i < 4; i++) {
      w.load(in[i].x(), rows.apply(i).at(offset));
      for (int quarter = 1; quarter < 4; quarter++) {
        w.op(VINSERTI32X4, in[i], in[i], rows.apply(4 * quarter + i).at(offset), imm(quarter));
      }
    }
    w.op(VPUNPCKLDQ, in[4], in[0], in[1]);
    w.op(VPUNPCKHDQ, in[1], in[0], in[1]);
    w.op(VPUNPCKLDQ, in[5], in[2], in[3]);
    w.op(VPUNPCKHDQ, in[3], in[2], in[3]);
    w.op(VPUNPCKLQDQ, in[0], in[4], in[5]);
    w.op(VPUNPCKHQDQ, in[4], in[4], in[5]);
    w.op(VPUNPCKLQDQ, in[2], in[1], in[3]);
    w.op(VPUNPCKHQDQ, in[1], in[1], in[3]);
    return new Vec[] {in[0], in[4], in[2], in[1]};
  }

  /**
   * Of the registers that {@link #sixteen} worked in, one that it left free: the first or second.
   */
  static Vec free(Vec[] in, int which) {
    return in[which == 0 ? 3 : 5];
  }

  /** A number that each row's block has, in its lane; changes {@code t}. */
  void number(BlockNumber number, Vec to, Vec t) {
    number.ofRows(to, t, rows);
  }
}
