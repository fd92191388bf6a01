package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * A block format as code for sixteen rows {@link Abreast}: it has each four values of them meet the
 * activations, run by run, and says what a run's sums are worth.
 */
public sealed interface AbreastCode permits LongAbreastCode, ShortAbreastCode {
  /** Values of a chunk, whose order the activations follow. */
  int CHUNK = 16;

  int blockBytes();

  /** All runs of the rows' blocks. */
  void block(Abreast rows, Meeting meeting);

  /** What must be taken from each byte, or zero where there are minimums. */
  int zero();

  /** Values under one scale: 32 or 16. */
  int run();

  default boolean hasMinimums() {
    return zero() == 0;
  }

  /** The order in which the chunks of a block are met; the two of a run follow each other. */
  int[] order();

  /** Values in a block. */
  default int values() {
    return CHUNK * order().length;
  }

  /** Of a format that has no such code. */
  Format NONE =
      (_, _, _) -> {
        throw new KernelException("a format without code for rows abreast is asked for it");
      };

  /** Who has the activations. */
  interface Meeting {
    /** Before a run's first values. */
    void begin();

    /** The next four values of a run, unsigned. */
    void meet(Vec weights);

    /** Behind a run's last values: the scale of each row, as an integer or a float. */
    void end(Vec scales);

    /** The minimums of a run as floats, behind its scales; formats of long blocks have others. */
    void minimums(Vec minimums);
  }

  /** Makes the code of a format in a kernel, with the registers it may take. */
  interface Format {
    AbreastCode code(KernelWriter w, Registers registers, Stash stash);
  }
}
