package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VPSLLD;
import static weft.cpu.asm.VectorOp.VPSRAD;
import static weft.cpu.asm.VectorOp.VPSRLD;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockNumber.Half;

/**
 * {@link Q6_KCode}'s blocks, sixteen rows abreast. Sixteen bytes of high bits belong to four runs,
 * 32 values apart, which are met after each other.
 */
public final class Q6_KAbreast implements LongAbreastCode {
  private static final int HIGH = 128;
  private static final int SCALES = 192;
  private static final int D = 208;

  /** Of 128 values, in 32 of them, the runs that share high bits, in the order they are met. */
  private static final int[] RUNS = {0, 4, 2, 6};

  private final KernelWriter w;
  private final Stash stash;
  private final Vec[] low;
  private final Vec[] high;
  private final Vec nibbles;
  private final Vec t;

  public Q6_KAbreast(KernelWriter w, Registers registers, Stash stash) {
    this.w = w;
    this.stash = stash;
    low = registers.take(Abreast.REGISTERS);
    high = registers.take(Abreast.REGISTERS);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
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
    for (int i = 0; i < order.length; i++) {
      order[i] = 8 * (i / 8) + i / 4 % 2 + RUNS[i % 4];
    }
    return order;
  }

  @Override
  public void block(Abreast rows, Meeting meeting) {
    var scales = rows.sixteen(SCALES, low);
    for (int i = 0; i < scales.length; i++) {
      w.store(stash.at(i), scales[i]);
    }
    for (int part = 0; part < 4; part++) {
      int from = 64 * (part / 2) + CHUNK * (part % 2);
      var highs = rows.sixteen(HIGH + CHUNK * part, high);
      for (int pair = 0; pair < 2; pair++) {
        var lows = rows.sixteen(from + 32 * pair, low);
        run(meeting, lows, highs, pair == 0 ? 4 : 2, order()[4 * part + 2 * pair]);
        for (var each : lows) w.op(VPSRLD, each, each, imm(4));
        run(meeting, lows, highs, pair == 0 ? 0 : -2, order()[4 * part + 2 * pair + 1]);
      }
    }
  }

  /** The run whose high bits lie so many places below where they belong. */
  private void run(Meeting meeting, Vec[] lows, Vec[] highs, int below, int run) {
    var bits = Abreast.free(high, 0);
    meeting.begin();
    for (int i = 0; i < 4; i++) {
      w.and(t, lows[i], nibbles);
      if (below == 0) {
        w.move(bits, highs[i]);
      } else {
        w.op(below > 0 ? VPSLLD : VPSRLD, bits, highs[i], imm(Math.abs(below)));
      }
      w.orAnd(t, bits, at(w.assembler().ints("pairs", 0x30303030)).each());
      meeting.meet(t);
    }
    if (run % 4 < 3) {
      w.op(VPSLLD, t, stash.at(run / 4), imm(24 - 8 * (run % 4)));
      w.op(VPSRAD, t, t, imm(24));
    } else {
      w.op(VPSRAD, t, stash.at(run / 4), imm(24));
    }
    meeting.end(t);
  }

  @Override
  public Vec[] free() {
    return low.clone();
  }

  @Override
  public void unit(Vec to, Vec t, Abreast rows) {
    rows.number(new Half(w, D, Half.Sign.AS_STORED), to, t);
  }
}
