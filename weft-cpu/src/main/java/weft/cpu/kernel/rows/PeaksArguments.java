package weft.cpu.kernel.rows;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of the greatest of each run of {@link Peaks#RUN} elements.
 *
 * @param from rows of floats
 * @param fromBytes from one row to the next
 * @param n floats in a row
 * @param rows how many rows
 * @param to one float for each run, row by row
 * @param toBytes from one row's peaks to the next's
 */
public record PeaksArguments(
    MemorySegment from, long fromBytes, long n, long rows, MemorySegment to, long toBytes) {
  public static final long BYTES = 48;

  static final int FROM = 0;
  static final int FROM_BYTES = 8;
  static final int N = 16;
  static final int ROWS = 24;
  static final int TO = 32;
  static final int TO_BYTES = 40;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, FROM, from);
    block.set(JAVA_LONG, FROM_BYTES, fromBytes);
    block.set(JAVA_LONG, N, n);
    block.set(JAVA_LONG, ROWS, rows);
    block.set(ADDRESS, TO, to);
    block.set(JAVA_LONG, TO_BYTES, toBytes);
  }
}
