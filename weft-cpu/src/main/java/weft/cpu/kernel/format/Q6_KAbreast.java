package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VPSLLD;
import static weft.cpu.asm.VectorOp.VPSRAD;
import static weft.cpu.asm.VectorOp.VPSRLD;

import java.util.Arrays;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockNumber.Half;

/**
 * {@link Q6_KCode}'s blocks, sixteen rows abreast. 32 bytes of high bits belong to 128 values, 32
 * of them to each two bits; they wait in the stash, which the shifts read.
 */
public final class Q6_KAbreast implements LongAbreastCode {
  private static final int HIGH = 128;
  private static final int SCALES = 192;
  private static final int D = 208;

  /** Of 128 values, the runs of 16 in the order they are met: low nibbles, then high ones. */
  private static final int[] RUNS = {0, 1, 4, 5, 2, 3, 6, 7};

  /** In the stash, behind the scales. */
  private static final int STASHED_HIGH = 4;

  private final KernelWriter w;
  private final Stash stash;
  private final Vec[] packed;
  private final Vec nibbles;
  private final Vec pairs;
  private final Vec t;

  public Q6_KAbreast(KernelWriter w, Registers registers, Stash stash) {
    this.w = w;
    this.stash = stash;
    packed = registers.take(Abreast.WIDE_REGISTERS);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    pairs = w.everywhere(registers.take(), "pairs", 0x30303030);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return 210;
  }

  @Override
  public int zero() {
    return 32;
  }

  @Override
  public int run() {
    return CHUNK;
  }

  @Override
  public int[] order() {
    var order = new int[16];
    for (int i = 0; i < order.length; i++) order[i] = 8 * (i / 8) + RUNS[i % 8];
    return order;
  }

  @Override
  public void block(Abreast rows, Meeting meeting) {
    var scales = rows.sixteen(SCALES, free());
    for (int i = 0; i < scales.length; i++) {
      w.store(stash.at(i), scales[i]);
    }
    for (int half = 0; half < 2; half++) {
      var highs = rows.thirtyTwo(HIGH + 32 * half, packed);
      for (int i = 0; i < highs.length; i++) {
        w.store(stash.at(STASHED_HIGH + i), highs[i]);
      }
      for (int pair = 0; pair < 2; pair++) {
        var lows = rows.thirtyTwo(64 * half + 32 * pair, packed);
        int first = 8 * half + 2 * pair;
        runs(meeting, lows, pair == 0 ? 4 : 2, first);
        for (var each : lows) w.op(VPSRLD, each, each, imm(4));
        runs(meeting, lows, pair == 0 ? 0 : -2, first + 4);
      }
    }
  }

  /** Two runs side by side, whose high bits lie so many places below where they belong. */
  private void runs(Meeting meeting, Vec[] lows, int below, int first) {
    for (int run = 0; run < 2; run++) {
      meeting.begin();
      for (int i = 4 * run; i < 4 * run + 4; i++) {
        w.and(t, lows[i], nibbles);
        highBits(stash.at(STASHED_HIGH + i), below);
        meeting.meet(t);
      }
      scale(first + run);
      meeting.end(t);
    }
  }

  private void highBits(Mem from, int below) {
    if (below == 0) {
      w.orAnd(t, pairs, from);
      return;
    }
    var bits = Abreast.free(packed, 0);
    w.op(below > 0 ? VPSLLD : VPSRLD, bits, from, imm(Math.abs(below)));
    w.orAnd(t, bits, pairs);
  }

  private void scale(int run) {
    if (run % 4 < 3) {
      w.op(VPSLLD, t, stash.at(run / 4), imm(24 - 8 * (run % 4)));
      w.op(VPSRAD, t, t, imm(24));
    } else {
      w.op(VPSRAD, t, stash.at(run / 4), imm(24));
    }
  }

  @Override
  public Vec[] free() {
    return Arrays.copyOf(packed, Abreast.REGISTERS);
  }

  @Override
  public void unit(Vec to, Vec t, Abreast rows) {
    rows.number(new Half(w, D, Half.Sign.AS_STORED), to, t);
  }
}
