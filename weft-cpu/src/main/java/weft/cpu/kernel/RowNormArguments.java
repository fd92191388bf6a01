package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of {@code to[row] = from[row] / rms(from[row]) * weight}.
 *
 * @param from rows of floats
 * @param fromBytes from one row to the next
 * @param weight one float for each of a row's
 * @param n floats in a row, a multiple of {@link RowNorm#MULTIPLE}
 * @param eps added to the mean of the squares
 * @param to rows of floats
 * @param toBytes from one row to the next
 */
public record RowNormArguments(
    MemorySegment from,
    long fromBytes,
    MemorySegment weight,
    long n,
    float eps,
    MemorySegment to,
    long toBytes) {
  public static final long BYTES = 56;

  static final int FROM = 0;
  static final int FROM_BYTES = 8;
  static final int WEIGHT = 16;
  static final int N = 24;
  static final int TO = 32;
  static final int TO_BYTES = 40;
  static final int EPS = 48;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, FROM, from);
    block.set(JAVA_LONG, FROM_BYTES, fromBytes);
    block.set(ADDRESS, WEIGHT, weight);
    block.set(JAVA_LONG, N, n);
    block.set(ADDRESS, TO, to);
    block.set(JAVA_LONG, TO_BYTES, toBytes);
    block.set(JAVA_FLOAT, EPS, eps);
  }
}
