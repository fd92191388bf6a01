package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Mask;
import weft.cpu.asm.Vec;

/**
 * The formats of 32 five-bit numbers: a head, {@code high bits:4, q:16}; nibbles as in {@link
 * NibbleCode}, and bit j of the high bits is the fifth bit of value j.
 */
final class FiveBitCode implements ShortBlockCode {
  private static final int HIGH_BYTES = 4;
  private static final Mask SET = Mask.k(4);
  private static final Mask SET_ABOVE = Mask.k(5);

  private final KernelWriter w;
  private final BlockHead head;
  private final int zero;
  private final Vec nibbles;
  private final Vec sixteens;
  private final Vec t;

  private FiveBitCode(KernelWriter w, Registers registers, BlockHead head, int zero) {
    this.w = w;
    this.head = head;
    this.zero = zero;
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    sixteens = w.everywhere(registers.take(), "sixteens", 0x10101010);
    t = registers.take();
  }

  static FiveBitCode q5_0(KernelWriter w, Registers registers) {
    return new FiveBitCode(w, registers, BlockHead.half(w), 16);
  }

  static FiveBitCode q5_1(KernelWriter w, Registers registers) {
    return new FiveBitCode(w, registers, new BlockHead.Affine(w), 0);
  }

  @Override
  public BlockHead head() {
    return head;
  }

  @Override
  public int blockBytes() {
    return quants() + 16;
  }

  private int quants() {
    return head.bytes() + HIGH_BYTES;
  }

  @Override
  public int zero() {
    return zero;
  }

  @Override
  public int highest() {
    return 31;
  }

  @Override
  public void bytes64(Vec to, Place a, Place b) {
    w.op(VBROADCASTI32X4, to, a.at(quants()));
    w.op(VBROADCASTI32X4, to.merging(UPPER), b.at(quants()));
    w.op(VPSRLW, to.merging(ODD_QUARTERS), to, imm(4));
    w.and(to, to, nibbles);
    w.op(KMOVD, SET, a.at(head.bytes()));
    w.op(KMOVD, SET_ABOVE, b.at(head.bytes()));
    w.op(KUNPCKDQ, SET, SET_ABOVE, SET);
    w.op(VPADDB, to.merging(SET), to, sixteens);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    w.load(to.x(), a.at(quants()));
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.and(to, to, nibbles);
    w.note("eight bytes of each of the four bytes of high bits, then of each its own bit");
    var bits = at(w.assembler().bytes("bitOfEach", bitOfEach()));
    w.op(VPBROADCASTD, t, a.at(head.bytes()));
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
}
