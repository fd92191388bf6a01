package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/** Q4_K: a head of scales, then {@code q:128}, each 32 bytes one run below and the next above. */
public final class Q4_KCode implements SixBitRuns {
  private static final int QUANTS = 16;

  private final KernelWriter w;
  private final SixBitScales scales;
  private final Vec nibbles;

  public Q4_KCode(KernelWriter w, Registers registers) {
    this.w = w;
    scales = new SixBitScales(w, registers);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
  }

  @Override
  public SixBitScales scales() {
    return scales;
  }

  @Override
  public int blockBytes() {
    return 144;
  }

  @Override
  public int highest() {
    return 15;
  }

  @Override
  public void bytes64(Vec to, int group, Place block) {
    w.op(VBROADCASTI64X4, to, block.at(QUANTS + 32 * group));
    w.op(VPSRLW, to.merging(UPPER_WORDS), to, imm(4));
    w.and(to, to, nibbles);
  }

  @Override
  public int secondTimes() {
    // Bytes up to 240 overflow nothing in vpdpbusd, but would in vpmaddubsw.
    return w.isa().includes(Isa.VNNI) ? 16 : 1;
  }

  @Override
  public void bytes128(Vec first, Vec second, int half, Place block) {
    w.load(first, block.at(QUANTS + 64 * half));
    if (secondTimes() == 16) {
      w.op(VPANDND, second, nibbles, first);
    } else {
      w.op(VPSRLW, second, first, imm(4));
      w.and(second, second, nibbles);
    }
    w.and(first, first, nibbles);
  }

  @Override
  public void bytes32(Vec to, int group, Place block) {
    var quants = block.at(QUANTS + group / 2 * 32);
    if (group % 2 == 0) {
      w.and(to, nibbles, quants);
    } else {
      w.load(to, quants);
      w.op(VPSRLW, to, to, imm(4));
      w.and(to, to, nibbles);
    }
  }
}
