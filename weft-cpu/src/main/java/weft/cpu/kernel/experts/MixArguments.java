package weft.cpu.kernel.experts;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of {@link Mix}.
 *
 * @param from what each use of an expert gave, in the order of experts
 * @param fromBytes from one use to the next
 * @param tables whose they are
 * @param used experts that a row uses
 * @param rows how many rows
 * @param to the results
 * @param toBytes from one row to the next
 */
public record MixArguments(
    MemorySegment from,
    long fromBytes,
    RouteTables tables,
    int used,
    int rows,
    MemorySegment to,
    long toBytes) {
  public static final long BYTES = 64;

  static final int FROM = 0;
  static final int FROM_BYTES = 8;
  static final int PLACES = 16;
  static final int WEIGHTS = 24;
  static final int USED = 32;
  static final int ROWS = 40;
  static final int TO = 48;
  static final int TO_BYTES = 56;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, FROM, from);
    block.set(JAVA_LONG, FROM_BYTES, fromBytes);
    block.set(ADDRESS, PLACES, tables.places());
    block.set(ADDRESS, WEIGHTS, tables.weights());
    block.set(JAVA_LONG, USED, used);
    block.set(JAVA_LONG, ROWS, rows);
    block.set(ADDRESS, TO, to);
    block.set(JAVA_LONG, TO_BYTES, toBytes);
  }
}
