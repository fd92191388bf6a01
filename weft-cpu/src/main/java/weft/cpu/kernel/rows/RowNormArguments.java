package weft.cpu.kernel.rows;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of {@code to = from / norm(from) * weight + residual} over the heads of rows.
 *
 * @param from rows of heads of floats; a plain row is a row of one head
 * @param heads in a row
 * @param weight one float for each of a head's; an L2 norm reads none
 * @param n floats in a head
 * @param eps added to the mean of the squares, or to their sum for an L2 norm
 * @param residual added at last; read only where a residual is asked for, or a layer norm's bias
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
  private static final Layout<RowNormArguments> LAYOUT = new Layout<>();

  static final int FROM = LAYOUT.part(HeadRows.LAYOUT, RowNormArguments::from);
  static final int TO = LAYOUT.part(HeadRows.LAYOUT, RowNormArguments::to);
  static final int RESIDUAL = LAYOUT.part(HeadRows.LAYOUT, RowNormArguments::residual);
  static final int WEIGHT = LAYOUT.address(RowNormArguments::weight);
  static final int N = LAYOUT.number(RowNormArguments::n);
  static final int HEADS = LAYOUT.number(RowNormArguments::heads);
  static final int EPS = LAYOUT.real(RowNormArguments::eps);

  public static final long BYTES = LAYOUT.bytes();

  /** Norms of plain rows, without a residual. */
  public static RowNormArguments ofRows(
      PlainRows from, MemorySegment weight, long n, float eps, PlainRows to) {
    return new RowNormArguments(heads(from), 1, weight, n, eps, HeadRows.NONE, heads(to));
  }

  /** A plain row is a row of one head. */
  private static HeadRows heads(PlainRows rows) {
    return new HeadRows(rows.memory(), rows.rowBytes(), 0);
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
