package weft.cpu.kernel.product;

import weft.cpu.kernel.emit.KernelException;
import weft.quant.Encoding;

/**
 * How a row of activations lies in memory once it is bytes: values that multiply weights of any
 * block format, in their natural order.
 *
 * <pre>
 *   q       k' bytes        the values, rounded, -127 to 127
 *   scale   k'/32 floats    what a unit of each 32 values stands for
 *   nsum    k'/32 floats    minus the sum of each 32 values, scaled: meets the minimums of weights
 *   csum    k'/32 ints      minus the sum of each 32 bytes: takes back what made weights unsigned
 *   csum16  k'/16 ints      the same of each 16
 *   wsum    k'/32 words     csum again: meets minimums that are words
 * </pre>
 *
 * k' is k up to the next multiple of 256; what is behind k is zero, so kernels may multiply it with
 * anything finite.
 *
 * <p>Kernels of all formats read all rows, but those of many tokens against 256-value blocks rely
 * on it that the eight scales of 256 values are the same.
 *
 * @param k values in the row, a multiple of {@code shared}
 * @param shared values that have the same scale: 32 or 256
 */
public record Activations(int k, int shared) {
  static final int BLOCK = 32;
  static final int PADDING = 256;

  /** The sums of the bytes, and where they lie. */
  enum Sums {
    NSUM(1, 8),
    CSUM(2, 8),
    CSUM16(3, 4),
    WSUM(5, 16);

    private final int eighths;
    private final int valuesPerByte;

    Sums(int eighths, int valuesPerByte) {
      this.eighths = eighths;
      this.valuesPerByte = valuesPerByte;
    }

    /** From the scales to these sums, in eighths of k'. */
    int eighths() {
      return eighths;
    }

    /** The values of the row that a byte of these sums is for. */
    int valuesPerByte() {
      return valuesPerByte;
    }
  }

  public Activations {
    if (k <= 0 || k % shared != 0) {
      throw new KernelException(
          "a row of " + k + " values cannot be made bytes: it must be whole blocks of " + shared);
    }
  }

  /** The rows that weights of this block format multiply. */
  public static Activations of(Encoding encoding, int k) {
    return new Activations(k, encoding.blockValues());
  }

  int padded() {
    return (k + PADDING - 1) / PADDING * PADDING;
  }

  public long scaleOffset() {
    return padded();
  }

  long offset(Sums sums) {
    return scaleOffset() + padded() / 8L * sums.eighths();
  }

  /** The bytes from one row to the next: whole lines of the cache. */
  public long rowBytes() {
    return (offset(Sums.WSUM) + padded() / Sums.WSUM.valuesPerByte() + 63) / 64 * 64;
  }

  /** The bytes that {@code rows} rows take; they must begin at a multiple of 64. */
  public long bytes(long rows) {
    return Math.multiplyExact(rows, rowBytes());
  }
}
