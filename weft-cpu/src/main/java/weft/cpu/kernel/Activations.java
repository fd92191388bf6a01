package weft.cpu.kernel;

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
 * </pre>
 *
 * k' is k up to the next multiple of 256; what is behind k is zero, so kernels may multiply it with
 * anything finite.
 *
 * @param k values in the row, a multiple of 32
 */
public record Activations(int k) {
  static final int BLOCK = 32;
  static final int PADDING = 256;

  public Activations {
    if (k <= 0 || k % BLOCK != 0) {
      throw new KernelException(
          "a row of " + k + " values cannot be made bytes: it must be whole blocks of " + BLOCK);
    }
  }

  int padded() {
    return (k + PADDING - 1) / PADDING * PADDING;
  }

  long scaleOffset() {
    return padded();
  }

  long nsumOffset() {
    return scaleOffset() + padded() / 8;
  }

  long csumOffset() {
    return nsumOffset() + padded() / 8;
  }

  long csum16Offset() {
    return csumOffset() + padded() / 8;
  }

  /** The bytes from one row to the next: whole lines of the cache. */
  public long rowBytes() {
    return (csum16Offset() + padded() / 4 + 63) / 64 * 64;
  }

  /** The bytes that {@code rows} rows take; they must begin at a multiple of 64. */
  public long bytes(long rows) {
    return Math.multiplyExact(rows, rowBytes());
  }
}
