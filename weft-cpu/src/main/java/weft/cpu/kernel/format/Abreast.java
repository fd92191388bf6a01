package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VINSERTI32X4;
import static weft.cpu.asm.VectorOp.VINSERTI64X4;
import static weft.cpu.asm.VectorOp.VPUNPCKHDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKHQDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLQDQ;
import static weft.cpu.asm.VectorOp.VSHUFI32X4;

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

  /** The registers that {@link #thirtyTwo} works in. */
  static final int WIDE_REGISTERS = 10;

  private static final int EVEN_QUARTERS = 0x88;
  private static final int ODD_QUARTERS = 0xDD;

  /** Sixteen bytes of each row, four in each of four registers among {@code in}. */
  Vec[] sixteen(int offset, Vec[] in) {
    for (int i = 0; i < 4; i++) {
      w.load(in[i].x(), rows.apply(i).at(offset));
      for (int quarter = 1; quarter < 4; quarter++) {
        w.op(VINSERTI32X4, in[i], in[i], rows.apply(4 * quarter + i).at(offset), imm(quarter));
      }
    }
    return columns(in[0], in[1], in[2], in[3], in[4], in[5]);
  }

  /**
   * 32 bytes of each row, four in each of eight registers among {@code in}: four fifths of what
   * {@link #sixteen} takes for as many, and half of its loads.
   */
  Vec[] thirtyTwo(int offset, Vec[] in) {
    for (int i = 0; i < 8; i++) {
      int row = i < 4 ? i : 4 + i;
      w.load(in[i].y(), rows.apply(row).at(offset));
      w.op(VINSERTI64X4, in[i], in[i], rows.apply(4 + row).at(offset), imm(1));
    }
    var lower = columns(in[0], in[1], in[2], in[3], in[8], in[9]);
    var upper = columns(in[4], in[5], in[6], in[7], in[3], in[9]);
    var values = new Vec[8];
    var spare = in[7];
    for (int i = 0; i < 4; i++) {
      w.op(VSHUFI32X4, spare, lower[i], upper[i], imm(EVEN_QUARTERS));
      w.op(VSHUFI32X4, upper[i], lower[i], upper[i], imm(ODD_QUARTERS));
      values[i] = spare;
      values[4 + i] = upper[i];
      spare = lower[i];
    }
    return values;
  }

  /**
   * In each 128 bits the dwords of the first four registers change rows for columns; the fourth and
   * the last are free then.
   */
  private Vec[] columns(Vec a, Vec b, Vec c, Vec d, Vec s, Vec t) {
    w.op(VPUNPCKLDQ, s, a, b);
    w.op(VPUNPCKHDQ, b, a, b);
    w.op(VPUNPCKLDQ, t, c, d);
    w.op(VPUNPCKHDQ, d, c, d);
    w.op(VPUNPCKLQDQ, a, s, t);
    w.op(VPUNPCKHQDQ, s, s, t);
    w.op(VPUNPCKLQDQ, c, b, d);
    w.op(VPUNPCKHQDQ, b, b, d);
    return new Vec[] {a, s, c, b};
  }

  /**
   * Of the registers that {@link #sixteen} or {@link #thirtyTwo} worked in, one that it left free:
   * the first or second.
   */
  static Vec free(Vec[] in, int which) {
    boolean isWide = in.length == WIDE_REGISTERS;
    if (which == 0) return in[isWide ? 1 : 3];
    return in[in.length - 1];
  }

  /** A number that each row's block has, in its lane; changes {@code t}. */
  void number(BlockNumber number, Vec to, Vec t) {
    number.ofRows(to, t, rows);
  }
}
