package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VCVTPH2PS;
import static weft.cpu.asm.VectorOp.VINSERTI64X4;
import static weft.cpu.asm.VectorOp.VPBROADCASTW;

import java.util.function.IntFunction;
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
  public void bytes64(Vec to, Place a, Place b) {
    w.load(to.y(), a.at(QUANTS));
    w.op(VINSERTI64X4, to, to, b.at(QUANTS), imm(1));
    w.xor(to, to, highestBits);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    w.xor(to, highestBits, a.at(QUANTS));
  }

  @Override
  public void scales(Vec to, Place a, Place b) {
    w.op(VPBROADCASTW, to.y(), a.at(0));
    w.op(VPBROADCASTW, to.y().merging(UPPER), b.at(0));
    w.op(VCVTPH2PS, to, to.y());
  }

  @Override
  public void scale(Vec to, Place a) {
    w.op(VPBROADCASTW, to.x(), a.at(0));
    w.op(VCVTPH2PS, to, to.x());
  }

  @Override
  public void scalesOfRows(Vec to, Vec t, IntFunction<Place> rows) {
    w.halves(to, t, row -> rows.apply(row).at(0));
  }
}
