package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VINSERTI32X4;
import static weft.cpu.asm.VectorOp.VINSERTI64X4;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/** Q8_0: {@code d:2, q:32}; a signed byte with its highest bit turned is the same plus 128. */
public final class Q8_0Code implements ShortBlockCode {
  private final KernelWriter w;
  private final BlockHead head;
  private final Vec highestBits;

  public Q8_0Code(KernelWriter w, Registers registers) {
    this.w = w;
    head = BlockHead.half(w);
    highestBits = w.everywhere(registers.take(), "highestBits", 0x80808080);
  }

  @Override
  public BlockHead head() {
    return head;
  }

  @Override
  public int blockBytes() {
    return head.bytes() + VALUES;
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
  public void bytes64(Vec to, Place a, Place b) {
    w.load(to.y(), a.at(head.bytes()));
    w.op(VINSERTI64X4, to, to, b.at(head.bytes()), imm(1));
    w.xor(to, to, highestBits);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    w.xor(to, highestBits, a.at(head.bytes()));
  }

  @Override
  public void halves(Vec first, Vec second, Place[] blocks) {
    half(first, blocks, head.bytes());
    half(second, blocks, head.bytes() + VALUES / 2);
  }

  private void half(Vec to, Place[] blocks, int offset) {
    w.load(to.x(), blocks[0].at(offset));
    for (int i = 1; i < blocks.length; i++) {
      w.op(VINSERTI32X4, to, to, blocks[i].at(offset), imm(i));
    }
    w.xor(to, to, highestBits);
  }
}
