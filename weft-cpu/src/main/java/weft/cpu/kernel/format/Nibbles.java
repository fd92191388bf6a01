package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VBROADCASTI32X4;
import static weft.cpu.asm.VectorOp.VINSERTI128;
import static weft.cpu.asm.VectorOp.VINSERTI32X4;
import static weft.cpu.asm.VectorOp.VPSRLW;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/** Sixteen bytes that hold values 0 to 15 of a block below and values 16 to 31 above. */
public final class Nibbles {
  static final int BYTES = 16;

  private final KernelWriter w;
  private final int offset;
  private final Vec nibbles;
  private final Vec t;

  /**
   * @param offset where in a block the bytes are
   * @param t is changed where registers have 256 bits
   */
  Nibbles(KernelWriter w, int offset, Registers registers, Vec t) {
    this.w = w;
    this.offset = offset;
    this.t = t;
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
  }

  /** Those of two blocks in 512 bits. */
  void ofTwo(Vec to, Place a, Place b) {
    w.op(VBROADCASTI32X4, to, a.at(offset));
    w.op(VBROADCASTI32X4, to.merging(BlockCode.UPPER), b.at(offset));
    w.op(VPSRLW, to.merging(BlockCode.ODD_QUARTERS), to, imm(4));
    w.and(to, to, nibbles);
  }

  /** Those of one block in 256 bits. */
  void ofOne(Vec to, Place a) {
    w.load(to.x(), a.at(offset));
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.and(to, to, nibbles);
  }

  /** The first halves of one block or two, in 128 bits each, and their second halves. */
  void halves(Vec first, Vec second, Place[] blocks) {
    w.load(first.x(), blocks[0].at(offset));
    for (int i = 1; i < blocks.length; i++) {
      w.op(VINSERTI32X4, first, first, blocks[i].at(offset), imm(i));
    }
    w.op(VPSRLW, second, first, imm(4));
    w.and(first, first, nibbles);
    w.and(second, second, nibbles);
  }
}
