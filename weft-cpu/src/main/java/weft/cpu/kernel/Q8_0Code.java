package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VINSERTI64X4;
import static weft.cpu.asm.VectorOp.VMOVDQU;
import static weft.cpu.asm.VectorOp.VPXOR;
import static weft.cpu.asm.VectorOp.VPXORD;

import weft.cpu.asm.Vec;

/** Q8_0: {@code d:2, q:32}; a signed byte with its highest bit turned is the same plus 128. */
final class Q8_0Code implements ShortBlockCode {
  private static final int QUANTS = 2;

  private final KernelWriter w;
  private final Vec highestBits;

  Q8_0Code(KernelWriter w, Registers registers) {
    this.w = w;
    highestBits = w.everywhere(registers.take(), "highestBits", 0x80808080);
  }

  @Override
  public KernelWriter writer() {
    return w;
  }

  @Override
  public int blockBytes() {
    return 34;
  }

  @Override
  public int zero() {
    return 128;
  }

  @Override
  public int highest() {
    return 255;
  }

  @Override
  public void bytes(Vec to, Place a, Place b) {
    w.op(VMOVDQU, to.y(), a.at(QUANTS));
    w.op(VINSERTI64X4, to, to, b.at(QUANTS), imm(1));
    w.op(VPXORD, to, to, highestBits);
  }

  @Override
  public void bytes(Vec to, Place a) {
    w.op(VPXOR, to, highestBits, a.at(QUANTS));
  }
}
