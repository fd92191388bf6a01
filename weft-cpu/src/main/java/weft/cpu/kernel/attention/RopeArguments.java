package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;

/**
 * The argument block of the kernel that turns heads.
 *
 * @param from rows of heads
 * @param heads in a row
 * @param dim floats in a head
 * @param angles how they turn
 * @param to where they go
 */
public record RopeArguments(HeadRows from, int heads, int dim, RopeAngles angles, HeadRows to) {
  static final int FROM = 0;
  static final int TO = FROM + HeadRows.BYTES;
  static final int ANGLES = TO + HeadRows.BYTES;
  static final int HEADS = ANGLES + RopeAngles.BYTES;
  static final int DIM = HEADS + 8;
  static final int SCALE = DIM + 8;

  public static final long BYTES = SCALE + 8;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    from.write(block, FROM);
    to.write(block, TO);
    angles.write(block, ANGLES);
    block.set(JAVA_LONG, HEADS, heads);
    block.set(JAVA_LONG, DIM, dim);
    block.set(JAVA_FLOAT, SCALE, angles.scale());
  }
}
