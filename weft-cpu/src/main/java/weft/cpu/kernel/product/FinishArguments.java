package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of what follows products: {@code out = a + aBias + b}, or {@code out = fn(a +
 * aBias) * (b + bBias)}, over columns of some rows. Rows of {@code 0} bytes repeat one row.
 *
 * @param a the products
 * @param b the residual, or the products that are gated
 */
public record FinishArguments(
    MemorySegment a,
    long aBytes,
    MemorySegment aBias,
    MemorySegment b,
    long bBytes,
    MemorySegment bBias,
    MemorySegment out,
    long outBytes,
    long rows) {
  public static final long BYTES = 72;

  /** Ranges of columns are best cut at multiples of this: the widest vector. */
  public static final int MULTIPLE = 16;

  static final int A = 0;
  static final int A_BYTES = 8;
  static final int A_BIAS = 16;
  static final int B = 24;
  static final int B_BYTES = 32;
  static final int B_BIAS = 40;
  static final int OUT = 48;
  static final int OUT_BYTES = 56;
  static final int ROWS = 64;

  /** Writes the block that the kernels read. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, A, a);
    block.set(JAVA_LONG, A_BYTES, aBytes);
    block.set(ADDRESS, A_BIAS, aBias);
    block.set(ADDRESS, B, b);
    block.set(JAVA_LONG, B_BYTES, bBytes);
    block.set(ADDRESS, B_BIAS, bBias);
    block.set(ADDRESS, OUT, out);
    block.set(JAVA_LONG, OUT_BYTES, outBytes);
    block.set(JAVA_LONG, ROWS, rows);
  }
}
