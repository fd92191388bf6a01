package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * Q2_K: {@code scales (below) and minimums (above):16, q:64, d:2, dmin:2}; of each 128 values 32
 * bytes hold 32 values in each pair of bits.
 */
public final class Q2_KCode implements MinimumsApart {
  private static final int QUANTS = 16;
  private static final int D = 80;
  private static final int DMIN = 82;

  private final KernelWriter w;
  private final Vec pairs;
  private final Vec t;

  public Q2_KCode(KernelWriter w, Registers registers) {
    this.w = w;
    pairs = w.everywhere(registers.take(), "pairs", 0x03030303);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return 84;
  }

  @Override
  public int run() {
    return 16;
  }

  @Override
  public int highest() {
    return 3;
  }

  @Override
  public void bytes64(Vec to, int group, Place block) {
    w.op(VBROADCASTI64X4, to, block.at(QUANTS + group / 2 * 32));
    w.op(VPSRLVW, to, to, at(w.wordShifts(group % 2 * 4, group % 2 * 4 + 2)));
    w.and(to, to, pairs);
  }

  @Override
  public Order order() {
    return Order.NATURAL;
  }

  @Override
  public void bytes128(Vec first, Vec second, int half, Place block) {
    w.op(VBROADCASTI64X4, first, block.at(QUANTS + half * 32));
    w.op(VPSRLVW, first, first, at(w.wordShifts(0, 2)));
    w.op(VPSRLW, second, first, imm(4));
    w.and(first, first, pairs);
    w.and(second, second, pairs);
  }

  @Override
  public void bytes32(Vec to, int group, Place block) {
    w.load(to, block.at(QUANTS + group / 4 * 32));
    if (group % 4 > 0) {
      w.op(VPSRLW, to, to, imm(group % 4 * 2));
    }
    w.and(to, to, pairs);
  }

  @Override
  public void scales16(Vec to, Place block) {
    w.half(t, block.at(D));
    lower(to, block, 0);
  }

  @Override
  public void scales8(Vec first, Vec second, Place block) {
    w.half(t, block.at(D));
    lower(first, block, 0);
    lower(second, block, 8);
  }

  @Override
  public void minimums16(Vec to, Place block) {
    w.half(t, block.at(DMIN));
    upper(to, block, 0);
  }

  @Override
  public void minimums8(Vec first, Vec second, Place block) {
    w.half(t, block.at(DMIN));
    upper(first, block, 0);
    upper(second, block, 8);
  }

  @Override
  public void words(Vec scales, Vec minimums, Place block) {
    w.op(VPMOVZXBW, scales, block.at(0));
    w.op(VPSRLW, minimums, scales, imm(4));
    var fifteens = new int[8];
    Arrays.fill(fifteens, 0x000f000f);
    w.and(scales, scales, at(w.assembler().ints("fifteenWords", fifteens)));
  }

  @Override
  public int unit() {
    return D;
  }

  @Override
  public int minimumUnit() {
    return DMIN;
  }

  /** As many low nibbles as there are lanes, from one of them on, times {@code t}. */
  private void lower(Vec to, Place block, int first) {
    var fifteens = new int[16];
    Arrays.fill(fifteens, 15);
    w.op(VPMOVZXBD, to, block.at(first));
    w.and(to, to, at(w.assembler().ints("fifteens", fifteens)));
    scaled(to);
  }

  private void upper(Vec to, Place block, int first) {
    w.op(VPMOVZXBD, to, block.at(first));
    w.op(VPSRLD, to, to, imm(4));
    scaled(to);
  }

  private void scaled(Vec to) {
    w.op(VCVTDQ2PS, to, to);
    w.op(VMULPS, to, to, t);
  }
}
