package weft.cpu.kernel.emit;

import java.lang.foreign.MemorySegment;

/**
 * Rows of anything, as far apart as it says; rows of {@code 0} bytes are one row over and over.
 *
 * @param memory where the first row begins
 * @param rowBytes from one row to the next
 */
public record PlainRows(MemorySegment memory, long rowBytes) {
  public static final Layout<PlainRows> LAYOUT = new Layout<>();
  public static final int MEMORY = LAYOUT.address(PlainRows::memory);
  public static final int ROW_BYTES = LAYOUT.number(PlainRows::rowBytes);

  /** A single row. */
  public static PlainRows one(MemorySegment memory) {
    return new PlainRows(memory, 0);
  }

  /** The same from a later row on. */
  public PlainRows fromRow(int row) {
    return new PlainRows(memory.asSlice(row * rowBytes), rowBytes);
  }

  /** Rows of so many floats behind each other. */
  public static PlainRows packed(MemorySegment memory, long floats) {
    return new PlainRows(memory, floats * Float.BYTES);
  }
}
