package weft.cpu.kernel.attention;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VPERMILPS;
import static weft.cpu.asm.VectorOp.VPERMPS;
import static weft.cpu.asm.VectorOp.VSHUFF32X4;
import static weft.cpu.asm.VectorOp.VSHUFPS;

import weft.cpu.asm.Op;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The lanes of each of six vectors of 512 bits combined, all six at once, in the order of {@link
 * KernelWriter#everyLane}: quarters two apart, quarters side by side, then the same within one.
 */
record SixVectors(KernelWriter w, Vec t) {
  private static final int LOWER_HALVES = 0x44;
  private static final int UPPER_HALVES = 0xEE;
  private static final int EVEN_QUARTERS = 0x88;
  private static final int ODD_QUARTERS = 0xDD;
  private static final int SWAPPED = 0xB1;

  /** Where the six are in the end: the first lane of each quarter, and the third of two. */
  private static final int[] PLACES = {0, 4, 8, 12, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6};

  /** Leaves in the lanes of the first, in their order, what each of the six comes to. */
  void fold(Op combine, Vec[] six) {
    for (int i = 0; i < six.length; i += 2) {
      both(combine, VSHUFF32X4, six[i], six[i + 1], LOWER_HALVES, UPPER_HALVES);
    }
    both(combine, VSHUFF32X4, six[0], six[2], EVEN_QUARTERS, ODD_QUARTERS);
    both(combine, VSHUFF32X4, six[4], six[4], EVEN_QUARTERS, ODD_QUARTERS);
    both(combine, VSHUFPS, six[0], six[4], LOWER_HALVES, UPPER_HALVES);
    w.op(VPERMILPS, t, six[0], imm(SWAPPED));
    w.op(combine, six[0], six[0], t);
    w.load(t, at(w.assembler().ints("places of six", PLACES)));
    w.op(VPERMPS, six[0], t, six[0]);
  }

  /** Some lanes of two vectors and the others, combined. */
  private void both(Op combine, Op shuffle, Vec a, Vec b, int some, int others) {
    w.op(shuffle, t, a, b, imm(some));
    w.op(shuffle, a, a, b, imm(others));
    w.op(combine, a, t, a);
  }
}
