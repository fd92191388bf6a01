package weft.cpu.kernel.rows;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of the kernel that unpacks chosen rows of a table.
 *
 * @param table packed rows
 * @param chosen the row of the table for each row of the result, as 32-bit numbers
 * @param n values in a row, whole blocks of the encoding
 * @param to rows of floats
 */
public record EmbedArguments(PlainRows table, MemorySegment chosen, int n, PlainRows to) {
  private static final Layout<EmbedArguments> LAYOUT = new Layout<>();

  static final int TABLE = LAYOUT.part(PlainRows.LAYOUT, EmbedArguments::table);
  static final int ROW_BYTES = TABLE + PlainRows.ROW_BYTES;
  static final int CHOSEN = LAYOUT.address(EmbedArguments::chosen);
  static final int N = LAYOUT.number(EmbedArguments::n);
  static final int TO = LAYOUT.part(PlainRows.LAYOUT, EmbedArguments::to);
  static final int TO_BYTES = TO + PlainRows.ROW_BYTES;
  static final int PIECES = LAYOUT.number(a -> units(a.n));

  public static final long BYTES = LAYOUT.bytes();

  /** The scratch that a worker needs: the scales and the bytes of some values. */
  public static final long SCRATCH_BYTES = 160;

  /** The units of a row. */
  public static int units(int n) {
    return (n + Embed.PIECE - 1) / Embed.PIECE;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
