package weft.cpu.kernel.attention;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.WordScale;

/**
 * The weights of scores relative to the greatest of a panel, as words: {@code LEVELS * e^x} for x
 * up to zero, and what those of a query come to. A score that is no number makes their sum none.
 */
sealed interface WordWeights permits SeriesWeights, TableWeights {
  /**
   * How many levels the greatest weight has. All of a panel as great are not too long, as {@link
   * WordScale} says, for sums of 31 bits: that allows 8,191, and eight times as many must fit a
   * word with what {@link TableWeights} rounds them by.
   */
  int LEVELS = 8188;

  /** The weights of this machine, with registers that are free while scores are words. */
  static WordWeights of(KernelWriter w, Registers registers) {
    return w.isa().vectorBits() == 512
        ? new TableWeights(w, registers)
        : new SeriesWeights(w, registers);
  }

  /** What all queries need. */
  void begin();

  /** A query begins, of which a level of scores stands for so much. */
  void query(Mem unit);

  /** {@code x} and {@code y}, levels of scores less the greatest, become words in {@code x}. */
  void two(Vec x, Vec y);

  /** The sum of the query's weights, a float, in the lowest lane of the register given back. */
  Vec total(Vec t);
}
