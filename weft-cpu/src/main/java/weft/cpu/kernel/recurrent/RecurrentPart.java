package weft.cpu.kernel.recurrent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The rows of one sequence in a launch over recurrent state, an entry of a table.
 *
 * @param state the sequence's state of the slot
 * @param first its first row
 * @param rows how many rows it has
 */
public record RecurrentPart(MemorySegment state, long first, long rows) {
  public static final long BYTES = 24;

  static final int STATE = 0;
  static final int FIRST = 8;
  static final int ROWS = 16;

  /** Writes the entry of a part. */
  public void write(MemorySegment table, long part) {
    long at = part * BYTES;
    table.set(ADDRESS, at + STATE, state);
    table.set(JAVA_LONG, at + FIRST, first);
    table.set(JAVA_LONG, at + ROWS, rows);
  }
}
