package weft.cpu.kernel.experts;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of {@link Route}.
 *
 * @param scores rows of a float for each expert
 * @param scoreBytes from one row to the next
 * @param experts how many there are
 * @param rows how many rows
 * @param used experts that a row uses
 * @param scale a factor on all weights
 * @param tables where the choices go
 */
public record RouteArguments(
    MemorySegment scores,
    long scoreBytes,
    int experts,
    int rows,
    int used,
    float scale,
    RouteTables tables) {
  public static final long BYTES = 88;

  static final int SCORES = 0;
  static final int SCORE_BYTES = 8;
  static final int EXPERTS = 16;
  static final int ROWS = 24;
  static final int USED = 32;
  static final int CHOSEN = 40;
  static final int WEIGHTS = 48;
  static final int STARTS = 56;
  static final int PLACES = 64;
  static final int SOURCES = 72;
  static final int SCALE = 80;

  /** The bytes of its own that a worker needs for this many experts. */
  public static long scratchBytes(int experts) {
    return (experts + 2L * Route.LANES) * Float.BYTES;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, SCORES, scores);
    block.set(JAVA_LONG, SCORE_BYTES, scoreBytes);
    block.set(JAVA_LONG, EXPERTS, experts);
    block.set(JAVA_LONG, ROWS, rows);
    block.set(JAVA_LONG, USED, used);
    block.set(ADDRESS, CHOSEN, tables.chosen());
    block.set(ADDRESS, WEIGHTS, tables.weights());
    block.set(ADDRESS, STARTS, tables.starts());
    block.set(ADDRESS, PLACES, tables.places());
    block.set(ADDRESS, SOURCES, tables.sources());
    block.set(JAVA_FLOAT, SCALE, scale);
  }
}
