package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelException;

/**
 * A format of 256 values whose runs have whole numbers as scales: a block comes to a whole number
 * for each row, and its half floats multiply that.
 */
public sealed interface LongAbreastCode extends AbreastCode permits SixBitRunsAbreast, Q6_KAbreast {
  /** Six registers that the code needs only while a block is met. */
  Vec[] free();

  /** What a unit of the scales stands for, of the block that was met; changes {@code t}. */
  void unit(Vec to, Vec t, Abreast rows);

  /** What a unit of the minimums stands for; only formats that have some are asked. */
  default void minimumUnit(Vec to) {
    throw new KernelException("a format without minimums has no unit of them");
  }

  /** Two neighbouring minimums of each row as words, the first pair or another. */
  default void minimums(Vec to, int pair) {
    throw new KernelException("a format without minimums has no pair " + pair + " of them");
  }
}
