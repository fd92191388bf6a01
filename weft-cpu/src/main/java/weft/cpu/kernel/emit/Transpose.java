package weft.cpu.kernel.emit;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VPERM2I128;
import static weft.cpu.asm.VectorOp.VPUNPCKHDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKHQDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLQDQ;
import static weft.cpu.asm.VectorOp.VSHUFI32X4;

import weft.cpu.asm.Vec;
import weft.cpu.asm.VectorOp;

/**
 * Sixteen registers of sixteen dwords, or eight of eight, change rows for columns with one register
 * to spare.
 *
 * <p>Each round pairs registers; it leaves its results where its operands were, and the spare one
 * moves along.
 */
public final class Transpose {
  private static final int EVEN_QUARTERS = 0x88;
  private static final int ODD_QUARTERS = 0xDD;
  private static final int LOWER_HALVES = 0x20;
  private static final int UPPER_HALVES = 0x31;

  private final KernelWriter w;
  private final Vec[] rows;
  private Vec spare;

  private Transpose(KernelWriter w, Vec[] rows, Vec spare) {
    this.w = w;
    this.rows = rows.clone();
    this.spare = spare;
  }

  /** The columns, in the registers of the rows and the spare one. */
  public static Vec[] emit(KernelWriter w, Vec[] rows, Vec spare) {
    return new Transpose(w, rows, spare).columns();
  }

  private Vec[] columns() {
    for (int i = 0; i < rows.length; i += 2) {
      pair(VPUNPCKLDQ, VPUNPCKHDQ, i, i + 1);
    }
    // Of four rows, 0 and 2 hold their columns 0 and 1 (of each four), 1 and 3 columns 2 and 3.
    for (int i = 0; i < rows.length; i += 4) {
      pair(VPUNPCKLQDQ, VPUNPCKHQDQ, i, i + 2);
      pair(VPUNPCKLQDQ, VPUNPCKHQDQ, i + 1, i + 3);
      // Now at i: column 0, at i+2: column 1, at i+1: column 2, at i+3: column 3.
      var second = rows[i + 1];
      rows[i + 1] = rows[i + 2];
      rows[i + 2] = second;
    }
    for (int c = 0; c < 4; c++) {
      if (rows.length == 16) {
        quarters(c, 4 + c);
        quarters(8 + c, 12 + c);
        quarters(c, 8 + c);
        quarters(4 + c, 12 + c);
      } else {
        halves(c, 4 + c);
      }
    }
    return rows;
  }

  private void pair(VectorOp low, VectorOp high, int a, int b) {
    var first = rows[a];
    w.op(low, spare, first, rows[b]);
    w.op(high, rows[b], first, rows[b]);
    leave(a, first);
  }

  private void quarters(int a, int b) {
    var first = rows[a];
    w.op(VSHUFI32X4, spare, first, rows[b], imm(EVEN_QUARTERS));
    w.op(VSHUFI32X4, rows[b], first, rows[b], imm(ODD_QUARTERS));
    leave(a, first);
  }

  private void halves(int a, int b) {
    var first = rows[a];
    w.op(VPERM2I128, spare, first, rows[b], imm(LOWER_HALVES));
    w.op(VPERM2I128, rows[b], first, rows[b], imm(UPPER_HALVES));
    leave(a, first);
  }

  /** The spare register is the row now, and the one that was it is to spare. */
  private void leave(int row, Vec freed) {
    rows[row] = spare;
    spare = freed;
  }
}
