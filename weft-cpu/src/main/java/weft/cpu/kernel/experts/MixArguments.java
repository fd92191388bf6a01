package weft.cpu.kernel.experts;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of {@link Mix}.
 *
 * @param from what each use of an expert gave, in the order of experts
 * @param tables whose they are
 * @param used experts that a row uses
 * @param rows how many rows
 * @param to the results
 */
public record MixArguments(PlainRows from, RouteTables tables, int used, int rows, PlainRows to) {
  private static final Layout<MixArguments> LAYOUT = new Layout<>();

  static final int FROM = LAYOUT.part(PlainRows.LAYOUT, MixArguments::from);
  static final int FROM_BYTES = FROM + PlainRows.ROW_BYTES;
  static final int PLACES = LAYOUT.address(a -> a.tables.places());
  static final int WEIGHTS = LAYOUT.address(a -> a.tables.weights());
  static final int USED = LAYOUT.number(MixArguments::used);
  static final int ROWS = LAYOUT.number(MixArguments::rows);
  static final int TO = LAYOUT.part(PlainRows.LAYOUT, MixArguments::to);
  static final int TO_BYTES = TO + PlainRows.ROW_BYTES;

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
