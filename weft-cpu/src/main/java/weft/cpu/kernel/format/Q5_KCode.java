package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * Q5_K: a head of scales, {@code high bits:32, q:128}; quants lie as in {@link Q4_KCode}, and bit j
 * of the high bits is the fifth bit of run j.
 */
public final class Q5_KCode implements SixBitRuns {
  private static final int HIGH = 16;
  private static final int QUANTS = 48;
  private static final Mask SET = Mask.k(4);

  private final KernelWriter w;
  private final SixBitScales scales;
  private final Vec nibbles;

  /** In memory where registers are few. */
  private final Operand sixteens;

  private final Vec t;

  public Q5_KCode(KernelWriter w, Registers registers) {
    this.w = w;
    scales = new SixBitScales(w, registers);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    sixteens =
        w.isa() == Isa.AVX2
            ? at(w.assembler().ints("sixteens", sixteens()))
            : w.everywhere(registers.take(), "sixteens", 0x10101010);
    t = registers.take();
  }

  private static int[] sixteens() {
    var sixteens = new int[8];
    Arrays.fill(sixteens, 0x10101010);
    return sixteens;
  }

  @Override
  public SixBitScales scales() {
    return scales;
  }

  @Override
  public int blockBytes() {
    return 176;
  }

  @Override
  public int highest() {
    return 31;
  }

  @Override
  public void bytes64(Vec to, int group, Place block) {
    w.op(VBROADCASTI64X4, to, block.at(QUANTS + 32 * group));
    w.op(VPSRLW, to.merging(UPPER_WORDS), to, imm(4));
    w.and(to, to, nibbles);
    w.op(VBROADCASTI64X4, t, block.at(HIGH));
    fifthBits(to, 2 * group, 2 * group + 1);
  }

  @Override
  public void bytes128(Vec first, Vec second, int half, Place block) {
    w.load(first, block.at(QUANTS + 64 * half));
    w.op(VBROADCASTI64X4, t, block.at(HIGH));
    w.op(VPSRLW, second, first, imm(4));
    w.and(first, first, nibbles);
    w.and(second, second, nibbles);
    fifthBits(first, 4 * half, 4 * half + 2);
    fifthBits(second, 4 * half + 1, 4 * half + 3);
  }

  /** Adds 16 where the bit of a run is set in {@code t}: one run below, another above. */
  private void fifthBits(Vec to, int lower, int upper) {
    var bits = new byte[64];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (1 << (i < 32 ? lower : upper));
    }
    w.op(VPTESTMB, SET, t, at(w.assembler().bytes("bits" + lower + "," + upper, bits)));
    w.op(VPADDB, to.merging(SET), to, sixteens);
  }

  @Override
  public void bytes32(Vec to, int group, Place block) {
    w.load(to, block.at(QUANTS + group / 2 * 32));
    if (group % 2 == 1) {
      w.op(VPSRLW, to, to, imm(4));
    }
    w.and(to, to, nibbles);
    w.load(t, block.at(HIGH));
    // The wanted bit goes to place 4; what comes from the neighbouring byte is masked away.
    w.op(group < 4 ? VPSLLW : VPSRLW, t, t, imm(Math.abs(4 - group)));
    w.and(t, t, sixteens);
    w.or(to, to, t);
  }
}
