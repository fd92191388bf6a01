package weft.cpu.kernel.product;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of what follows products: {@code out = a + aBias + b}, or {@code out = fn(a +
 * aBias) * (b + bBias)}, over columns of some rows.
 *
 * @param a the products
 * @param b the residual, or the products that are gated
 */
public record FinishArguments(
    PlainRows a, MemorySegment aBias, PlainRows b, MemorySegment bBias, PlainRows out, long rows) {
  private static final Layout<FinishArguments> LAYOUT = new Layout<>();

  static final int A = LAYOUT.part(PlainRows.LAYOUT, FinishArguments::a);
  static final int A_BYTES = A + PlainRows.ROW_BYTES;
  static final int A_BIAS = LAYOUT.address(FinishArguments::aBias);
  static final int B = LAYOUT.part(PlainRows.LAYOUT, FinishArguments::b);
  static final int B_BYTES = B + PlainRows.ROW_BYTES;
  static final int B_BIAS = LAYOUT.address(FinishArguments::bBias);
  static final int OUT = LAYOUT.part(PlainRows.LAYOUT, FinishArguments::out);
  static final int OUT_BYTES = OUT + PlainRows.ROW_BYTES;
  static final int ROWS = LAYOUT.number(FinishArguments::rows);

  public static final long BYTES = LAYOUT.bytes();

  /** Ranges of columns are best cut at multiples of this: the widest vector. */
  public static final int MULTIPLE = 16;

  /** Writes the block that the kernels read. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
