package weft.cpu.kernel.rows;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of the greatest of each run of {@link Peaks#RUN} elements.
 *
 * @param from rows of floats
 * @param n floats in a row
 * @param rows how many rows
 * @param to one float for each run, row by row
 */
public record PeaksArguments(PlainRows from, long n, long rows, PlainRows to) {
  private static final Layout<PeaksArguments> LAYOUT = new Layout<>();

  static final int FROM = LAYOUT.part(PlainRows.LAYOUT, PeaksArguments::from);
  static final int FROM_BYTES = FROM + PlainRows.ROW_BYTES;
  static final int N = LAYOUT.number(PeaksArguments::n);
  static final int ROWS = LAYOUT.number(PeaksArguments::rows);
  static final int TO = LAYOUT.part(PlainRows.LAYOUT, PeaksArguments::to);
  static final int TO_BYTES = TO + PlainRows.ROW_BYTES;

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
