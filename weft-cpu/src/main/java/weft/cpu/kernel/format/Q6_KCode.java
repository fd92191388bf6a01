package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * Q6_K: {@code low bits:128, high bits:64, scales:16, d:2}, value {@code d·scale·(q − 32)}; of each
 * 128 values 64 bytes hold the low nibbles, the first 64 below, and 32 bytes the high pairs of
 * bits, 32 values in each pair.
 */
public final class Q6_KCode implements LongBlockCode {
  private static final int HIGH = 128;
  private static final int SCALES = 192;
  private static final int D = 208;

  private final KernelWriter w;
  private final Vec nibbles;
  private final Vec pairs;
  private final Vec t;

  public Q6_KCode(KernelWriter w, Registers registers) {
    this.w = w;
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    pairs = w.everywhere(registers.take(), "pairs", 0x30303030);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return 210;
  }

  @Override
  public int run() {
    return 16;
  }

  @Override
  public int zero() {
    return 32;
  }

  @Override
  public int highest() {
    return 63;
  }

  @Override
  public void bytes64(Vec to, int group, Place block) {
    w.load(to, block.at(group / 2 * 64));
    w.op(VBROADCASTI64X4, t, block.at(HIGH + group / 2 * 32));
    if (group % 2 == 0) {
      w.op(VPSLLVW, t, t, at(w.wordShifts(4, 2)));
    } else {
      w.op(VPSRLW, to, to, imm(4));
      w.op(VPSRLVW, t, t, at(w.wordShifts(0, 2)));
    }
    w.and(to, to, nibbles);
    w.orAnd(to, t, pairs);
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
    int half = group / 4;
    int quarter = group % 4;
    w.load(to, block.at(half * 64 + quarter % 2 * 32));
    if (quarter >= 2) {
      w.op(VPSRLW, to, to, imm(4));
    }
    w.and(to, to, nibbles);
    w.load(t, block.at(HIGH + half * 32));
    switch (quarter) {
      case 0 -> w.op(VPSLLW, t, t, imm(4));
      case 1 -> w.op(VPSLLW, t, t, imm(2));
      case 3 -> w.op(VPSRLW, t, t, imm(2));
      default -> {}
    }
    w.and(t, t, pairs);
    w.or(to, to, t);
  }

  @Override
  public void words(Vec scales, Vec minimums, Place block) {
    w.op(VPMOVSXBW, scales, block.at(SCALES));
  }

  @Override
  public int unit() {
    return D;
  }

  @Override
  public void scales16(Vec to, Place block) {
    w.op(VPMOVSXBD, to, block.at(SCALES));
    BlockScale.apply(w, t, block.at(D), to);
  }

  @Override
  public void scales8(Vec first, Vec second, Place block) {
    w.op(VPMOVSXBD, first, block.at(SCALES));
    w.op(VPMOVSXBD, second, block.at(SCALES + 8));
    BlockScale.apply(w, t, block.at(D), first, second);
  }
}
