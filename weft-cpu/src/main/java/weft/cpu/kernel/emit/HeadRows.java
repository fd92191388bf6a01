package weft.cpu.kernel.emit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Floats in rows of heads (or of pieces), each head contiguous.
 *
 * @param memory the first row's first head
 * @param rowBytes from one row to the next
 * @param headBytes from one head of a row to the next
 */
public record HeadRows(MemorySegment memory, long rowBytes, long headBytes) {
  public static final int BYTES = 24;
  static final int MEMORY = 0;
  static final int ROW_BYTES = 8;
  public static final int HEAD_BYTES = 16;

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

  public void write(MemorySegment block, long at) {
    block.set(ADDRESS, at + MEMORY, memory);
    block.set(JAVA_LONG, at + ROW_BYTES, rowBytes);
    block.set(JAVA_LONG, at + HEAD_BYTES, headBytes);
  }
}
