package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VBROADCASTI32X4;
import static weft.cpu.asm.VectorOp.VINSERTI128;
import static weft.cpu.asm.VectorOp.VMOVDQU;
import static weft.cpu.asm.VectorOp.VPAND;
import static weft.cpu.asm.VectorOp.VPANDD;
import static weft.cpu.asm.VectorOp.VPSRLW;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;

/** Sixteen bytes of nibbles: values 0 to 15 of a block below, values 16 to 31 above. */
final class Nibbles {
  private final KernelWriter w;
  private final Vec low;

  Nibbles(KernelWriter w, Registers registers) {
    this.w = w;
    low = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
  }

  /** The nibbles of two blocks in 512 bits, a byte each. */
  void spread(Vec to, Mem a, Mem b) {
    w.op(VBROADCASTI32X4, to, a);
    w.op(VBROADCASTI32X4, to.merging(BlockCode.UPPER), b);
    w.op(VPSRLW, to.merging(BlockCode.ODD_QUARTERS), to, imm(4));
    w.op(VPANDD, to, to, low);
  }

  /** The nibbles of one block in 256 bits; {@code t} is overwritten. */
  void spread(Vec to, Mem a, Vec t) {
    w.op(VMOVDQU, to.x(), a);
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.op(VPAND, to, to, low);
  }
}
