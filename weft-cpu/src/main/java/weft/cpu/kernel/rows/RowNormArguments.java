package weft.cpu.kernel.rows;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;

/**
 * The argument block of {@code to = from / norm(from) * weight + residual} over the heads of rows.
 *
 * @param from rows of heads of floats; a plain row is a row of one head
 * @param heads in a row
 * @param weight one float for each of a head's; an L2 norm reads none
 * @param n floats in a head
 * @param eps added to the mean of the squares, or to their sum for an L2 norm
 * @param residual added at last; read only where a residual is asked for
 * @param to the results
 */
public record RowNormArguments(
    HeadRows from,
    int heads,
    MemorySegment weight,
    long n,
    float eps,
    HeadRows residual,
    HeadRows to) {
  public static final long BYTES = 104;

  static final int FROM = 0;
  static final int TO = FROM + HeadRows.BYTES;
  static final int RESIDUAL = TO + HeadRows.BYTES;
  static final int WEIGHT = RESIDUAL + HeadRows.BYTES;
  static final int N = 80;
  static final int HEADS = 88;
  static final int EPS = 96;

  /** Norms of plain rows, without a residual. */
  public RowNormArguments(
      MemorySegment from,
      long fromBytes,
      MemorySegment weight,
      long n,
      float eps,
      MemorySegment to,
      long toBytes) {
    this(
        new HeadRows(from, fromBytes, 0),
        1,
        weight,
        n,
        eps,
        HeadRows.NONE,
        new HeadRows(to, toBytes, 0));
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    from.write(block, FROM);
    to.write(block, TO);
    residual.write(block, RESIDUAL);
    block.set(ADDRESS, WEIGHT, weight);
    block.set(JAVA_LONG, N, n);
    block.set(JAVA_LONG, HEADS, heads);
    block.set(JAVA_FLOAT, EPS, eps);
  }
}
