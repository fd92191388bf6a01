package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.function.IntFunction;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Vec;

/**
 * Q5_0: {@code d:2, high bits:4, q:16}; nibbles as in {@link NibbleCode}, bit j of the high bits is
 * the fifth bit of value j, and 16 is taken from each.
 */
final class Q5_0Code implements ShortBlockCode {
  private static final int HIGH = 2;
  private static final int QUANTS = 6;
  private static final Mask SET = Mask.k(4);
  private static final Mask SET_ABOVE = Mask.k(5);

  private final KernelWriter w;
  private final HalfScale scale;
  private final Vec nibbles;
  private final Vec sixteens;
  private final Vec t;

  Q5_0Code(KernelWriter w, Registers registers) {
    this.w = w;
    scale = new HalfScale(w);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    sixteens = w.everywhere(registers.take(), "sixteens", 0x10101010);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return 22;
  }

  @Override
  public int zero() {
    return 16;
  }

  @Override
  public int highest() {
    return 31;
  }

  @Override
  public void bytes64(Vec to, Place a, Place b) {
    w.op(VBROADCASTI32X4, to, a.at(QUANTS));
    w.op(VBROADCASTI32X4, to.merging(UPPER), b.at(QUANTS));
    w.op(VPSRLW, to.merging(ODD_QUARTERS), to, imm(4));
    w.and(to, to, nibbles);
    w.op(KMOVD, SET, a.at(HIGH));
    w.op(KMOVD, SET_ABOVE, b.at(HIGH));
    w.op(KUNPCKDQ, SET, SET_ABOVE, SET);
    w.op(VPADDB, to.merging(SET), to, sixteens);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    w.load(to.x(), a.at(QUANTS));
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.and(to, to, nibbles);
    w.note("eight bytes of each of the four bytes of high bits, then of each its own bit");
    var bits = at(w.assembler().bytes("bitOfEach", bitOfEach()));
    w.op(VPBROADCASTD, t, a.at(HIGH));
    w.op(VPSHUFB, t, t, at(w.assembler().bytes("byteOfEach", byteOfEach())));
    w.and(t, t, bits);
    w.op(VPCMPEQB, t, t, bits);
    w.and(t, t, sixteens);
    w.or(to, to, t);
  }

  private static byte[] byteOfEach() {
    var bytes = new byte[VALUES];
    for (int i = 0; i < VALUES; i++) {
      bytes[i] = (byte) (i / 8);
    }
    return bytes;
  }

  private static byte[] bitOfEach() {
    var bits = new byte[VALUES];
    for (int i = 0; i < VALUES; i++) {
      bits[i] = (byte) (1 << i % 8);
    }
    return bits;
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
  public void scalesOfRows(Vec to, Vec u, IntFunction<Place> rows) {
    scale.scalesOfRows(to, u, rows);
  }
}
