package weft.cpu.kernel.product;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of the kernel that turns rows of floats into {@link WordRows}.
 *
 * @param from floats
 * @param layout of the rows of {@code to}
 */
public record WordRowsArguments(PlainRows from, WordRows layout, MemorySegment to) {
  private static final Layout<WordRowsArguments> LAYOUT = new Layout<>();

  static final int FROM = LAYOUT.part(PlainRows.LAYOUT, WordRowsArguments::from);
  static final int FROM_BYTES = FROM + PlainRows.ROW_BYTES;
  static final int K = LAYOUT.number(a -> a.layout.k());
  static final int TO = LAYOUT.address(WordRowsArguments::to);
  static final int TO_BYTES = LAYOUT.number(a -> a.layout.rowBytes());

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
