package weft.cpu.kernel.product;

import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.WordScale;

/**
 * How a row of activations lies in memory once it is words, which multiply weights of formats of
 * half a float as words: words, zeros behind the last up to a multiple of 32, then a float for each
 * 64 of them, what a level stands for; the last may be 32. More of them may stand for the same
 * ({@link WordScales}).
 *
 * <p>64 values of like size are nearer to themselves so than as half floats ({@link WordScale}),
 * and sums of their products are exact.
 *
 * @param k values in the row, a multiple of 16
 */
public record WordRows(int k) {
  /** The values under one scale. */
  static final int BLOCK = 64;

  /** Those of the last block may be as few. */
  static final int HALF = BLOCK / 2;

  /** Rows are whole numbers of these. */
  static final int LEAST = 16;

  public WordRows {
    if (!takes(k)) {
      throw new KernelException(
          "a row of " + k + " values cannot be made words: it must be a multiple of " + LEAST);
    }
  }

  /** Whether rows of so many values can be made words. */
  public static boolean takes(long k) {
    return k > 0 && k % LEAST == 0;
  }

  /** The bytes from one row to the next: whole lines of the cache. */
  public long rowBytes() {
    long words = Math.ceilDiv(k, HALF) * (long) HALF;
    return (Short.BYTES * words + Float.BYTES * Math.ceilDiv(k, BLOCK) + 63) / 64 * 64;
  }

  /** The bytes that {@code rows} rows take. */
  public long bytes(long rows) {
    return Math.multiplyExact(rows, rowBytes());
  }
}
