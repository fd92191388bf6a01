package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * IQ4_XS: {@code d:2, upper scale bits:2, lower scale bits:4, q:128}, value {@code d·(scale − 32)·
 * level}; each 16 bytes are a run, its first half below and its second above.
 */
public final class IQ4_XSCode implements LongBlockCode {
  private static final int LOW_SCALES = 4;
  private static final int QUANTS = 8;
  private static final int ZERO = 128;

  private final KernelWriter w;
  private final Vec nibbles;
  private final Vec table;
  private final Vec t;

  public IQ4_XSCode(KernelWriter w, Registers registers) {
    this.w = w;
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    table = w.table(registers.take(), NibbleCode.IQ4_LEVELS, ZERO);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return 136;
  }

  @Override
  public int run() {
    return 32;
  }

  @Override
  public int zero() {
    return ZERO;
  }

  @Override
  public int highest() {
    return 113 + ZERO;
  }

  @Override
  public void bytes64(Vec to, int group, Place block) {
    w.op(VBROADCASTI32X4, to, block.at(QUANTS + 32 * group));
    w.op(VBROADCASTI32X4, to.merging(UPPER), block.at(QUANTS + 32 * group + 16));
    w.op(VPSRLW, to.merging(ODD_QUARTERS), to, imm(4));
    w.and(to, to, nibbles);
    w.op(VPSHUFB, to, table, to);
  }

  @Override
  public Order order() {
    return Order.HALF_RUNS;
  }

  @Override
  public void bytes128(Vec first, Vec second, int half, Place block) {
    w.load(first, block.at(QUANTS + 64 * half));
    w.op(VPSRLW, second, first, imm(4));
    w.and(first, first, nibbles);
    w.and(second, second, nibbles);
    w.op(VPSHUFB, first, table, first);
    w.op(VPSHUFB, second, table, second);
  }

  @Override
  public void bytes32(Vec to, int group, Place block) {
    w.load(to.x(), block.at(QUANTS + 16 * group));
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.and(to, to, nibbles);
    w.op(VPSHUFB, to, table, to);
  }

  @Override
  public void scales16(Vec to, Place block) {
    scales(to.y(), block);
  }

  @Override
  public void scales8(Vec first, Vec second, Place block) {
    scales(first, block);
  }

  @Override
  public void words(Vec scales, Vec minimums, Place block) {
    numbers(scales, block);
    w.op(w.isa().includes(Isa.AVX512) ? VEXTRACTI32X4 : VEXTRACTI128, t.x(), scales, imm(1));
    w.op(VPACKSSDW, scales.x(), scales.x(), t.x());
  }

  @Override
  public int unit() {
    return 0;
  }

  private void scales(Vec to, Place block) {
    numbers(to, block);
    w.op(VCVTDQ2PS, to, to);
    w.half(t.y(), block.at(0));
    w.op(VMULPS, to, to, t.y());
  }

  /** Eight scales: four bits of each from one word, two from another, shifted lane by lane. */
  private void numbers(Vec to, Place block) {
    var a = w.assembler();
    var u = t.y();
    w.op(VPBROADCASTD, to, block.at(LOW_SCALES));
    w.op(VPSRLVD, to, to, at(a.ints("lowShifts", 0, 4, 8, 12, 16, 20, 24, 28)));
    w.and(to, to, at(a.ints("15", 15, 15, 15, 15, 15, 15, 15, 15)));
    // The upper bits begin 16 bits into the block; four less, and they are already in place.
    w.op(VPBROADCASTD, u, block.at(0));
    w.op(VPSRLVD, u, u, at(a.ints("highShifts", 12, 14, 16, 18, 20, 22, 24, 26)));
    w.and(u, u, at(a.ints("48", 48, 48, 48, 48, 48, 48, 48, 48)));
    w.or(to, to, u);
    w.op(VPSUBD, to, to, at(a.ints("32", 32, 32, 32, 32, 32, 32, 32, 32)));
  }
}
