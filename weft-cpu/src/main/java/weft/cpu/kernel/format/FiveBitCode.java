package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Mask;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * The formats of 32 five-bit numbers: a head, four bytes of high bits, then {@link Nibbles}; bit j
 * of the high bits is the fifth bit of value j.
 */
public final class FiveBitCode implements ShortBlockCode {
  private static final int HIGH_BYTES = 4;
  private static final Mask SET = Mask.k(4);
  private static final Mask SET_ABOVE = Mask.k(5);

  private final KernelWriter w;
  private final BlockHead head;
  private final int zero;
  private final Nibbles nibbles;
  private final Vec sixteens;
  private final Vec t;

  private FiveBitCode(KernelWriter w, Registers registers, BlockHead head, int zero) {
    this.w = w;
    this.head = head;
    this.zero = zero;
    t = registers.take();
    nibbles = new Nibbles(w, head.bytes() + HIGH_BYTES, registers, t);
    sixteens = w.everywhere(registers.take(), "sixteens", 0x10101010);
  }

  public static FiveBitCode q5_0(KernelWriter w, Registers registers) {
    return new FiveBitCode(w, registers, BlockHead.half(w), 16);
  }

  public static FiveBitCode q5_1(KernelWriter w, Registers registers) {
    return new FiveBitCode(w, registers, new BlockHead.Affine(w), 0);
  }

  @Override
  public BlockHead head() {
    return head;
  }

  @Override
  public int blockBytes() {
    return head.bytes() + HIGH_BYTES + Nibbles.BYTES;
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
    nibbles.ofTwo(to, a, b);
    w.op(KMOVD, SET, a.at(head.bytes()));
    w.op(KMOVD, SET_ABOVE, b.at(head.bytes()));
    w.op(KUNPCKDQ, SET, SET_ABOVE, SET);
    w.op(VPADDB, to.merging(SET), to, sixteens);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    nibbles.ofOne(to, a);
    w.note("eight bytes of each of the four bytes of high bits, then of each its own bit");
    var bits = at(w.assembler().bytes("bitOfEach", bitOfEach()));
    w.op(VPBROADCASTD, t, a.at(head.bytes()));
    w.op(VPSHUFB, t, t, at(w.assembler().bytes("byteOfEach", byteOfEach())));
    w.and(t, t, bits);
    w.op(VPCMPEQB, t, t, bits);
    w.and(t, t, sixteens);
    w.or(to, to, t);
  }

  @Override
  public void halves(Vec first, Vec second, Place[] blocks) {
    w.note("the high bits of all blocks in each quarter, from where each value finds its byte");
    w.op(VMOVD, t.x(), blocks[0].at(head.bytes()));
    for (int i = 1; i < blocks.length; i++) {
      w.op(VPINSRD, t.x(), t.x(), blocks[i].at(head.bytes()), imm(i));
    }
    w.op(VSHUFI32X4, t, t, t, imm(0));
    var bits = at(w.assembler().bytes("bitOfEach", bitOfEach()));
    w.op(VPSHUFB, first, t, at(w.assembler().bytes("byteOfFirst", byteOfHalf(0))));
    w.op(VPTESTMB, SET, first, bits);
    w.op(VPSHUFB, t, t, at(w.assembler().bytes("byteOfSecond", byteOfHalf(1))));
    w.op(VPTESTMB, SET_ABOVE, t, bits);
    nibbles.halves(first, second, blocks);
    w.op(VPADDB, first.merging(SET), first, sixteens);
    w.op(VPADDB, second.merging(SET_ABOVE), second, sixteens);
  }

  private static byte[] byteOfEach() {
    var bytes = new byte[VALUES];
    for (int i = 0; i < VALUES; i++) {
      bytes[i] = (byte) (i / 8);
    }
    return bytes;
  }

  /** In each quarter the two bytes of one block that are for one half of it. */
  private static byte[] byteOfHalf(int half) {
    var bytes = new byte[64];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (HIGH_BYTES * (i / 16) + 2 * half + i % 16 / 8);
    }
    return bytes;
  }

  private static byte[] bitOfEach() {
    var bits = new byte[64];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (1 << i % 8);
    }
    return bits;
  }
}
