package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * Q3_K: {@code high bits:32, q:64, scales:12, d:2}, value {@code d·(scale − 32)·(q − 4)}; of each
 * 128 values 32 bytes hold the low pairs of bits, 32 values in each pair, and bit j of the high
 * bits is the third bit of the j-th 32 values.
 */
public final class Q3_KCode implements LongBlockCode {
  private static final int QUANTS = 32;
  private static final int SCALES = 96;
  private static final int HIGH_SCALES = 104;
  private static final int D = 108;

  private final KernelWriter w;
  private final Vec pairs;
  private final Vec fours;
  private final Vec t;

  public Q3_KCode(KernelWriter w, Registers registers) {
    this.w = w;
    pairs = w.everywhere(registers.take(), "pairs", 0x03030303);
    fours = w.everywhere(registers.take(), "fours", 0x04040404);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return 110;
  }

  @Override
  public int run() {
    return 16;
  }

  @Override
  public int zero() {
    return 4;
  }

  @Override
  public int highest() {
    return 7;
  }

  @Override
  public void bytes64(Vec to, int group, Place block) {
    w.op(VBROADCASTI64X4, to, block.at(QUANTS + group / 2 * 32));
    w.op(VPSRLVW, to, to, at(w.wordShifts(group % 2 * 4, group % 2 * 4 + 2)));
    w.and(to, to, pairs);
    w.op(VBROADCASTI64X4, t, block.at(0));
    if (group == 0) {
      w.op(VPSLLVW, t, t, at(w.wordShifts(2, 1)));
    } else {
      w.op(VPSRLVW, t, t, at(w.wordShifts(2 * group - 2, 2 * group - 1)));
    }
    w.orAnd(to, t, fours);
  }

  @Override
  public Order order() {
    return Order.NATURAL;
  }

  @Override
  public void bytes128(Vec first, Vec second, int half, Place block) {
    bytes64(first, 2 * half, block);
    bytes64(second, 2 * half + 1, block);
  }

  @Override
  public void bytes32(Vec to, int group, Place block) {
    w.load(to, block.at(QUANTS + group / 4 * 32));
    if (group % 4 > 0) {
      w.op(VPSRLW, to, to, imm(group % 4 * 2));
    }
    w.and(to, to, pairs);
    w.load(t, block.at(0));
    // The wanted bit goes to place 2; what comes from the neighbouring byte is masked away.
    if (group != 2) {
      w.op(group < 2 ? VPSLLW : VPSRLW, t, t, imm(Math.abs(2 - group)));
    }
    w.and(t, t, fours);
    w.or(to, to, t);
  }

  @Override
  public void scales16(Vec to, Place block) {
    numbers(to, block);
    w.op(VPMOVSXBD, to, to.x());
    BlockScale.apply(w, t, block.at(D), to);
  }

  @Override
  public void scales8(Vec first, Vec second, Place block) {
    numbers(first, block);
    w.op(VPSRLDQ, second.x(), first.x(), imm(8));
    w.op(VPMOVSXBD, first, first.x());
    w.op(VPMOVSXBD, second, second.x());
    BlockScale.apply(w, t, block.at(D), first, second);
  }

  @Override
  public void words(Vec scales, Vec minimums, Place block) {
    numbers(scales, block);
    w.op(VPMOVSXBW, scales, scales.x());
  }

  @Override
  public int unit() {
    return D;
  }

  /** Leaves sixteen scales less 32 in the bytes of {@code to}. */
  private void numbers(Vec to, Place block) {
    var a = w.assembler();
    w.note("four bits of each lie in eight bytes, of the second eight scales above");
    w.op(VPBROADCASTQ, to.x(), block.at(SCALES));
    w.op(VPSRLVQ, to.x(), to.x(), at(a.ints("secondAbove", 0, 0, 4, 0)));
    w.and(to.x(), to.x(), at(a.ints("nibbles16", 0x0f0f0f0f, 0x0f0f0f0f, 0x0f0f0f0f, 0x0f0f0f0f)));
    w.note("and two in four bytes, a pair of bits for each four scales");
    w.op(VPBROADCASTD, t.x(), block.at(HIGH_SCALES));
    w.op(VPSRLVD, t.x(), t.x(), at(a.ints("pairOfFour", 0, 2, 4, 6)));
    w.and(t.x(), t.x(), pairs.x());
    w.op(VPSLLD, t.x(), t.x(), imm(4));
    w.or(to.x(), to.x(), t.x());
    w.op(VPSUBB, to.x(), to.x(), at(a.ints("32s", 0x20202020, 0x20202020, 0x20202020, 0x20202020)));
  }
}
