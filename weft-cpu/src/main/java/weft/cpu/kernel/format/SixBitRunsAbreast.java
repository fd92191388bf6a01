package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VPSLLD;
import static weft.cpu.asm.VectorOp.VPSRLD;

import java.util.Arrays;
import java.util.stream.IntStream;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** The blocks of {@link Q4_KCode} and {@link Q5_KCode}, sixteen rows abreast. */
public final class SixBitRunsAbreast implements LongAbreastCode {
  private static final int RUN = 32;

  /** The fifth bits, where there are any, or else the quants. */
  private static final int BEHIND_HEAD = 16;

  private final KernelWriter w;
  private final SixBitAbreast head;
  private final Stash stash;

  /** Where the quants begin. */
  private final int quants;

  private final Vec[] packed;
  private final Vec nibbles;
  private final Vec t;

  private SixBitRunsAbreast(KernelWriter w, Registers registers, Stash stash, int quants) {
    this.w = w;
    this.stash = stash;
    this.quants = quants;
    head = new SixBitAbreast(w, stash);
    packed = registers.take(Abreast.WIDE_REGISTERS);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    t = registers.take();
  }

  public static SixBitRunsAbreast q4_K(KernelWriter w, Registers registers, Stash stash) {
    return new SixBitRunsAbreast(w, registers, stash, BEHIND_HEAD);
  }

  public static SixBitRunsAbreast q5_K(KernelWriter w, Registers registers, Stash stash) {
    return new SixBitRunsAbreast(w, registers, stash, BEHIND_HEAD + RUN);
  }

  private boolean hasFifthBits() {
    return quants > BEHIND_HEAD;
  }

  @Override
  public int blockBytes() {
    return quants + LongBlockCode.VALUES / 2;
  }

  @Override
  public int zero() {
    return 0;
  }

  @Override
  public int run() {
    return RUN;
  }

  @Override
  public int[] order() {
    return IntStream.range(0, LongBlockCode.VALUES / CHUNK).toArray();
  }

  @Override
  public void block(Abreast rows, Meeting meeting) {
    head.read(rows, free());
    if (hasFifthBits()) {
      var bits = rows.thirtyTwo(BEHIND_HEAD, packed);
      for (int i = 0; i < bits.length; i++) {
        w.store(stash.at(SixBitAbreast.STASHED + i), bits[i]);
      }
    }
    for (int run = 0; run < 8; run += 2) {
      var values = rows.thirtyTwo(quants + RUN / 2 * run, packed);
      run(meeting, values, run);
      run(meeting, values, run + 1);
    }
  }

  /** A run in the low nibbles, or, where its number is odd, in the high ones. */
  private void run(Meeting meeting, Vec[] values, int run) {
    meeting.begin();
    for (int i = 0; i < values.length; i++) {
      if (run % 2 == 0) {
        w.and(t, values[i], nibbles);
      } else {
        w.op(VPSRLD, t, values[i], imm(4));
        w.and(t, t, nibbles);
      }
      if (hasFifthBits()) {
        fifthBits(i, run);
      }
      meeting.meet(t);
    }
    head.scale(t, run);
    meeting.end(t);
  }

  /** Bit {@code run} of each byte goes to place 4. */
  private void fifthBits(int i, int run) {
    var bits = Abreast.free(packed, 0);
    var from = stash.at(SixBitAbreast.STASHED + i);
    if (run == 4) {
      w.load(bits, from);
    } else {
      w.op(run < 4 ? VPSLLD : VPSRLD, bits, from, imm(Math.abs(4 - run)));
    }
    w.orAnd(t, bits, at(w.assembler().ints("sixteens", 0x10101010)).each());
  }

  @Override
  public Vec[] free() {
    return Arrays.copyOf(packed, Abreast.REGISTERS);
  }

  @Override
  public void unit(Vec to, Vec t, Abreast rows) {
    head.unit(to);
  }

  @Override
  public void minimumUnit(Vec to) {
    head.minimumUnit(to);
  }

  @Override
  public void minimums(Vec to, int pair) {
    head.minimums(to, pair);
  }
}
