package weft.cpu.kernel.experts;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of {@link Route}.
 *
 * @param scores rows of a float for each expert
 * @param experts how many there are
 * @param rows how many rows
 * @param used experts that a row uses
 * @param scale a factor on all weights
 * @param tables where the choices go
 */
public record RouteArguments(
    PlainRows scores, int experts, int rows, int used, float scale, RouteTables tables) {
  private static final Layout<RouteArguments> LAYOUT = new Layout<>();

  static final int SCORES = LAYOUT.part(PlainRows.LAYOUT, RouteArguments::scores);
  static final int SCORE_BYTES = SCORES + PlainRows.ROW_BYTES;
  static final int EXPERTS = LAYOUT.number(RouteArguments::experts);
  static final int ROWS = LAYOUT.number(RouteArguments::rows);
  static final int USED = LAYOUT.number(RouteArguments::used);
  static final int CHOSEN = LAYOUT.address(a -> a.tables.chosen());
  static final int WEIGHTS = LAYOUT.address(a -> a.tables.weights());
  static final int STARTS = LAYOUT.address(a -> a.tables.starts());
  static final int PLACES = LAYOUT.address(a -> a.tables.places());
  static final int SOURCES = LAYOUT.address(a -> a.tables.sources());
  static final int SCALE = LAYOUT.real(RouteArguments::scale);

  public static final long BYTES = LAYOUT.bytes();

  /** The bytes of its own that a worker needs for this many experts. */
  public static long scratchBytes(int experts) {
    return (experts + 2L * Route.LANES) * Float.BYTES;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
