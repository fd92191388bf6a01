package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;

/**
 * The head of Q4_K and Q5_K blocks: {@code d:2, dmin:2} and twelve bytes of eight scales and eight
 * minimums of six bits.
 *
 * <p>In dwords of a 128-bit register the sixteen numbers are: scales 0–3 (low six bits of bytes
 * 4–7), scales 4–7 (low nibbles of bytes 12–15, high bits of 4–7), minimums 0–3 (low six bits of
 * bytes 8–11), minimums 4–7 (high nibbles of 12–15, high bits of 8–11).
 */
final class SixBitScales {
  private static final byte NONE = (byte) 0x80;
  private static final byte[] LOW = {4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15};
  private static final byte[] HIGH = {
    NONE, NONE, NONE, NONE, 4, 5, 6, 7, NONE, NONE, NONE, NONE, 8, 9, 10, 11
  };

  private final KernelWriter w;
  private final Label low;
  private final Label lowShift;
  private final Label lowBits;
  private final Label high;
  private final Label highBits;
  private final Label spread;
  private final Vec head;
  private final Vec bits;

  SixBitScales(KernelWriter w, Registers registers) {
    this.w = w;
    var a = w.assembler();
    low = a.bytes("low", LOW);
    lowShift = a.ints("lowShift", 0, 0, 0, 4);
    lowBits = a.ints("lowBits", 0x3f3f3f3f, 0x0f0f0f0f, 0x3f3f3f3f, 0x0f0f0f0f);
    high = a.bytes("high", HIGH);
    highBits = a.ints("highBits", 0x30303030, 0x30303030, 0x30303030, 0x30303030);
    spread = a.ints("spread", 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    head = registers.take();
    bits = registers.take();
  }

  /** Leaves the sixteen numbers in the bytes of {@code to}, and d and dmin as floats of head. */
  private void numbers(Vec to, Place block) {
    w.load(head.x(), block.at(0));
    w.op(VPSHUFB, to.x(), head.x(), at(low));
    w.op(VPSRLVD, to.x(), to.x(), at(lowShift));
    w.and(to.x(), to.x(), at(lowBits));
    w.op(VPSHUFB, bits.x(), head.x(), at(high));
    w.op(VPSRLD, bits.x(), bits.x(), imm(2));
    w.and(bits.x(), bits.x(), at(highBits));
    w.or(to.x(), to.x(), bits.x());
    w.op(VCVTPH2PS, head.x(), head.x());
  }

  /** Eight scales and above them eight minimums in 512 bits. */
  void scales16(Vec to, Place block) {
    numbers(to, block);
    w.op(VPMOVZXBD, to, to.x());
    w.op(VCVTDQ2PS, to, to);
    w.load(bits, at(spread));
    w.op(VPERMPS, head, bits, head);
    w.op(VMULPS, to, to, head);
  }

  /** Eight scales, and eight minimums. */
  void scales8(Vec scales, Vec minimums, Place block) {
    numbers(scales, block);
    w.op(VPSRLDQ, minimums.x(), scales.x(), imm(8));
    w.op(VPMOVZXBD, scales, scales.x());
    w.op(VPMOVZXBD, minimums, minimums.x());
    w.op(VCVTDQ2PS, scales, scales);
    w.op(VCVTDQ2PS, minimums, minimums);
    w.op(VBROADCASTSS, bits, head.x());
    w.op(VMOVSHDUP, head.x(), head.x());
    w.op(VBROADCASTSS, head, head.x());
    w.op(VMULPS, scales, scales, bits);
    w.op(VMULPS, minimums, minimums, head);
  }
}
