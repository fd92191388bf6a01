package weft.cpu.kernel.rows;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of the kernel that unpacks chosen rows of a table.
 *
 * @param table packed rows
 * @param rowBytes from one of them to the next
 * @param chosen the row of the table for each row of the result, as 32-bit numbers
 * @param n values in a row, whole blocks of the encoding
 * @param to rows of floats
 * @param toBytes from one of them to the next
 */
public record EmbedArguments(
    MemorySegment table,
    long rowBytes,
    MemorySegment chosen,
    int n,
    MemorySegment to,
    long toBytes) {
  public static final long BYTES = 56;

  /** The scratch that a worker needs: the scales and the bytes of some values. */
  public static final long SCRATCH_BYTES = 160;

  static final int TABLE = 0;
  static final int ROW_BYTES = 8;
  static final int CHOSEN = 16;
  static final int N = 24;
  static final int TO = 32;
  static final int TO_BYTES = 40;
  static final int PIECES = 48;

  /** The units of a row. */
  public static int units(int n) {
    return (n + Embed.PIECE - 1) / Embed.PIECE;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, TABLE, table);
    block.set(JAVA_LONG, ROW_BYTES, rowBytes);
    block.set(ADDRESS, CHOSEN, chosen);
    block.set(JAVA_LONG, N, n);
    block.set(ADDRESS, TO, to);
    block.set(JAVA_LONG, TO_BYTES, toBytes);
    block.set(JAVA_LONG, PIECES, units(n));
  }
}
