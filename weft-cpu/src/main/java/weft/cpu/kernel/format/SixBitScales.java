package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * The head of Q4_K and Q5_K blocks: {@code d:2, dmin:2} and twelve bytes of eight scales and eight
 * minimums of six bits.
 *
 * <p>In dwords of a 128-bit register the sixteen numbers are: scales 0–3 (low six bits of bytes
 * 4–7), scales 4–7 (low nibbles of bytes 12–15, high bits of 4–7), minimums 0–3 (low six bits of
 * bytes 8–11), minimums 4–7 (high nibbles of 12–15, high bits of 8–11).
 */
public final class SixBitScales {
  private static final byte NONE = (byte) 0x80;
  private static final byte[] LOW = {4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15};
  private static final byte[] HIGH = {
    NONE, NONE, NONE, NONE, 4, 5, 6, 7, NONE, NONE, NONE, NONE, 8, 9, 10, 11
  };

  private final KernelWriter w;
  private final Operand low;
  private final Operand lowShift;
  private final Operand lowBits;
  private final Operand high;
  private final Operand highBits;
  private final Vec head;
  private final Vec bits;
  private final Vec spread;

  SixBitScales(KernelWriter w, Registers registers) {
    this.w = w;
    var a = w.assembler();
    low = constant(registers, a.bytes("low", LOW));
    lowShift = constant(registers, a.ints("lowShift", 0, 0, 0, 4));
    lowBits =
        constant(registers, a.ints("lowBits", 0x3f3f3f3f, 0x0f0f0f0f, 0x3f3f3f3f, 0x0f0f0f0f));
    high = constant(registers, a.bytes("high", HIGH));
    highBits =
        constant(registers, a.ints("highBits", 0x30303030, 0x30303030, 0x30303030, 0x30303030));
    head = registers.take();
    bits = registers.take();
    if (w.isa().vectorBits() == 512) {
      spread = registers.take();
      int[] lanes = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
      w.load(spread, at(a.ints("spread", lanes)));
    } else {
      spread = bits;
    }
  }

  /** A constant in a register where there are 32 of them, else where it lies. */
  private Operand constant(Registers registers, Label label) {
    if (w.isa().vectorBits() < 512) {
      return at(label);
    }
    var register = registers.take().x();
    w.load(register, at(label));
    return register;
  }

  /** Leaves the sixteen numbers in the bytes of {@code to}, and d and dmin as floats of head. */
  private void numbers(Vec to, Place block) {
    bytes(to, block);
    w.op(VCVTPH2PS, head.x(), head.x());
  }

  /** Leaves them there, and the block's beginning in head. */
  private void bytes(Vec to, Place block) {
    w.load(head.x(), block.at(0));
    w.op(VPSHUFB, to.x(), head.x(), low);
    w.op(VPSRLVD, to.x(), to.x(), lowShift);
    w.and(to.x(), to.x(), lowBits);
    w.op(VPSHUFB, bits.x(), head.x(), high);
    w.op(VPSRLD, bits.x(), bits.x(), imm(2));
    if (w.isa().includes(Isa.AVX512)) {
      w.orAnd(to.x(), bits.x(), highBits);
    } else {
      w.and(bits.x(), bits.x(), highBits);
      w.or(to.x(), to.x(), bits.x());
    }
  }

  /** Eight scales and eight minimums as words of 128 bits. */
  void words(Vec scales, Vec minimums, Place block) {
    bytes(scales, block);
    w.op(VPSRLDQ, minimums.x(), scales.x(), imm(8));
    w.op(VPMOVZXBW, minimums.x(), minimums.x());
    w.op(VPMOVZXBW, scales.x(), scales.x());
  }

  /** Eight scales and above them eight minimums in 512 bits. */
  void scales16(Vec to, Place block) {
    numbers(to, block);
    w.op(VPMOVZXBD, to, to.x());
    w.op(VCVTDQ2PS, to, to);
    w.op(VPERMPS, head, spread, head);
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

  /** What {@link LongBlockCode#panel16} says. */
  void panel16(Vec to, Vec t, Place block) {
    var scales = to.y();
    var minimums = t.y();
    numbers(scales, block);
    w.op(VPSRLDQ, minimums.x(), scales.x(), imm(8));
    w.op(VPMOVZXBW, minimums.x(), minimums.x());
    w.op(VPMOVZXBD, scales, scales.x());
    w.op(VCVTDQ2PS, scales, scales);
    w.op(VBROADCASTSS, bits.y(), head.x());
    w.op(VMULPS, scales, scales, bits.y());
    w.op(VMOVSHDUP, head.x(), head.x());
    w.op(VINSERTI32X4, minimums, minimums, head.x(), imm(1));
    w.op(VINSERTI64X4, to, to, minimums, imm(1));
  }
}
