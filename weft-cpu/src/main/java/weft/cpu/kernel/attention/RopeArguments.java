package weft.cpu.kernel.attention;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Layout;

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
  private static final Layout<RopeArguments> LAYOUT = new Layout<>();

  static final int FROM = LAYOUT.part(HeadRows.LAYOUT, RopeArguments::from);
  static final int TO = LAYOUT.part(HeadRows.LAYOUT, RopeArguments::to);
  static final int ANGLES = LAYOUT.part(RopeAngles.LAYOUT, RopeArguments::angles);
  static final int HEADS = LAYOUT.number(RopeArguments::heads);
  static final int DIM = LAYOUT.number(RopeArguments::dim);
  static final int SCALE = LAYOUT.real(a -> a.angles.scale());

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
