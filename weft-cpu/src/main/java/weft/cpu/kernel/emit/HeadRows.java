package weft.cpu.kernel.emit;

import java.lang.foreign.MemorySegment;

/**
 * Floats in rows of heads (or of pieces), each head contiguous.
 *
 * @param memory the first row's first head
 * @param rowBytes from one row to the next
 * @param headBytes from one head of a row to the next
 */
public record HeadRows(MemorySegment memory, long rowBytes, long headBytes) {
  public static final Layout<HeadRows> LAYOUT = new Layout<>();
  static final int MEMORY = LAYOUT.address(HeadRows::memory);
  static final int ROW_BYTES = LAYOUT.number(HeadRows::rowBytes);
  public static final int HEAD_BYTES = LAYOUT.number(HeadRows::headBytes);
  public static final int BYTES = LAYOUT.bytes();

  /** What a kernel does not read. */
  public static final HeadRows NONE = new HeadRows(MemorySegment.NULL, 0, 0);

  /** Rows behind each other, of heads behind each other. */
  public static HeadRows packed(MemorySegment memory, int heads, int width) {
    return new HeadRows(memory, 4L * heads * width, 4L * width);
  }

  /** The same rows from a later element on. */
  public HeadRows from(int element) {
    return new HeadRows(memory.asSlice((long) element * Float.BYTES), rowBytes, headBytes);
  }

  /** The same from a later row on. */
  public HeadRows fromRow(int row) {
    return new HeadRows(memory.asSlice(row * rowBytes), rowBytes, headBytes);
  }

  /** The same without the heads. */
  public PlainRows plain() {
    return new PlainRows(memory, rowBytes);
  }

  public void write(MemorySegment block, long at) {
    LAYOUT.write(this, block, at);
  }
}
