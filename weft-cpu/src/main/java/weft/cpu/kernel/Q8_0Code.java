package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VINSERTI64X4;

import java.util.function.IntFunction;
import weft.cpu.asm.Vec;

/** Q8_0: {@code d:2, q:32}; a signed byte with its highest bit turned is the same plus 128. */
final class Q8_0Code implements ShortBlockCode {
  private static final int QUANTS = 2;

  private final KernelWriter w;
  private final HalfScale scale;
  private final Vec highestBits;

  Q8_0Code(KernelWriter w, Registers registers) {
    this.w = w;
    scale = new HalfScale(w);
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
    scale.scales(to, a, b);
  }

  @Override
  public void scale(Vec to, Place a) {
    scale.scale(to, a);
  }

  @Override
  public void scalesOfRows(Vec to, Vec t, IntFunction<Place> rows) {
    scale.scalesOfRows(to, t, rows);
  }
}
