package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VPUNPCKHDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKHQDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLDQ;
import static weft.cpu.asm.VectorOp.VPUNPCKLQDQ;
import static weft.cpu.asm.VectorOp.VSHUFI32X4;

import weft.cpu.asm.Vec;
import weft.cpu.asm.VectorOp;

/**
 * Sixteen registers of sixteen dwords change rows for columns, with one register to spare.
 *
 * <p>Each of four rounds pairs registers; a round leaves its results where its operands were, and
 * the spare one moves along.
 */
final class Transpose {
  private static final int EVEN_QUARTERS = 0x88;
  private static final int ODD_QUARTERS = 0xDD;

  private final KernelWriter w;
  private final Vec[] rows;
  private Vec spare;

  private Transpose(KernelWriter w, Vec[] rows, Vec spare) {
    this.w = w;
    this.rows = rows.clone();
    this.spare = spare;
  }

  /** The columns, in the registers of the rows and the spare one. */
  static Vec[] emit(KernelWriter w, Vec[] rows, Vec spare) {
    return new Transpose(w, rows, spare).columns();
  }

  private Vec[] columns() {
    for (int i = 0; i < 16; i += 2) {
      unpack(VPUNPCKLDQ, VPUNPCKHDQ, i, i + 1);
    }
    // Of four rows, 0 and 2 hold their columns 0 and 1 (of each four), 1 and 3 columns 2 and 3.
    for (int i = 0; i < 16; i += 4) {
      unpack(VPUNPCKLQDQ, VPUNPCKHQDQ, i, i + 2);
      unpack(VPUNPCKLQDQ, VPUNPCKHQDQ, i + 1, i + 3);
      // Now at i: column 0, at i+2: column 1, at i+1: column 2, at i+3: column 3.
      swap(i + 1, i + 2);
    }
    var columns = new Vec[16];
    for (int c = 0; c < 4; c++) {
      shuffle(c, 4 + c);
      shuffle(8 + c, 12 + c);
      shuffle(c, 8 + c);
      shuffle(4 + c, 12 + c);
      columns[c] = rows[c];
      columns[8 + c] = rows[8 + c];
      columns[4 + c] = rows[4 + c];
      columns[12 + c] = rows[12 + c];
    }
    return columns;
  }

  private void unpack(VectorOp low, VectorOp high, int a, int b) {
    var first = rows[a];
    w.op(low, spare, first, rows[b]);
    w.op(high, rows[b], first, rows[b]);
    rows[a] = spare;
    spare = first;
  }

  private void shuffle(int a, int b) {
    var first = rows[a];
    w.op(VSHUFI32X4, spare, first, rows[b], imm(EVEN_QUARTERS));
    w.op(VSHUFI32X4, rows[b], first, rows[b], imm(ODD_QUARTERS));
    rows[a] = spare;
    spare = first;
  }

  private void swap(int a, int b) {
    var kept = rows[a];
    rows[a] = rows[b];
    rows[b] = kept;
  }
}
