package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.Place;

/** A format whose blocks are 256 values in eight or sixteen runs, each with its own scale. */
public sealed interface LongBlockCode extends BlockCode
    permits Q3_KCode, Q6_KCode, IQ4_XSCode, SixBitRuns, MinimumsApart {
  int VALUES = 256;

  int blockBytes();

  /** Bytes {@code 64·group} to {@code 64·group + 63} of a block in 512 bits. */
  void bytes64(Vec to, int group, Place block);

  /** How {@link #bytes128} lays 128 values into two registers: a matter of what is cheapest. */
  enum Order {
    /** Values 0–63, then values 64–127. */
    NATURAL(0, 0),
    /** Runs 0 and 2, then runs 1 and 3. */
    RUNS(0x44, 0xEE),
    /** The first halves of runs 0 to 3, then their second halves. */
    HALF_RUNS(0x88, 0xDD);

    private final int first;
    private final int second;

    Order(int first, int second) {
      this.first = first;
      this.second = second;
    }

    /** The control of vshufi32x4 that takes the first register from two natural ones. */
    public int first() {
      return first;
    }

    public int second() {
      return second;
    }
  }

  Order order();

  /**
   * What the bytes of the second register of {@link #bytes128} are multiplied by: 16 where a high
   * nibble is taken as it lies, which saves a shift and which the scales make good.
   */
  default int secondTimes() {
    return 1;
  }

  /** Bytes {@code 128·half} to {@code 128·half + 127} in two registers of 512 bits. */
  void bytes128(Vec first, Vec second, int half, Place block);

  /** Bytes {@code 32·group} to {@code 32·group + 31} of a block in 256 bits. */
  void bytes32(Vec to, int group, Place block);

  /** Sixteen scales, or eight scales and above them eight minimums, as floats in 512 bits. */
  void scales16(Vec to, Place block);

  /** The same sixteen floats in two vectors of 256 bits; where there are eight, in the first. */
  void scales8(Vec first, Vec second, Place block);

  /**
   * The scales in 256 bits before they are floats: sixteen words, or eight in the lower half; the
   * same of minimums, where there are any.
   */
  void words(Vec scales, Vec minimums, Place block);

  /** Where in a block the half float is that a unit of the scales stands for. */
  int unit();

  /** Where it is for the minimums; only formats that have some are asked. */
  default int minimumUnit() {
    throw new KernelException("a format without minimums has no unit of them");
  }

  /**
   * The same sixteen for tiles of AMX: there minimums are words, two in each of four lanes, and the
   * lane behind them is what their unit stands for.
   */
  default void panel16(Vec to, Vec t, Place block) {
    scales16(to, block);
  }
}
