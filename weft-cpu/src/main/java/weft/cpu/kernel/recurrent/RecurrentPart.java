package weft.cpu.kernel.recurrent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The rows of one sequence in a launch over recurrent state, an entry of a table. A kernel first
 * moves the state on by the rows that were kept and accepted since, then by the firm ones of its
 * rows; those behind them are a draft, which leaves the state alone and whose inputs it keeps.
 *
 * @param state the sequence's state of the slot
 * @param kept inputs of rows, as the slot's kernel keeps them; read and then written
 * @param pending how many of them are to be made up for
 * @param first its first row
 * @param rows how many rows it has
 * @param tentative how many of them, the last, are a draft
 */
public record RecurrentPart(
    MemorySegment state, MemorySegment kept, long pending, long first, long rows, long tentative) {
  public static final long BYTES = 48;

  static final int STATE = 0;
  static final int KEPT = 8;

  /** Numbers of rows: the kept ones have those before the first. */
  static final int BEGIN = 16;

  static final int FIRST = 24;
  static final int DRAFT = 32;
  static final int END = 40;

  /** Writes the entry of a part. */
  public void write(MemorySegment table, long part) {
    long at = part * BYTES;
    table.set(ADDRESS, at + STATE, state);
    table.set(ADDRESS, at + KEPT, kept);
    table.set(JAVA_LONG, at + BEGIN, first - pending);
    table.set(JAVA_LONG, at + FIRST, first);
    table.set(JAVA_LONG, at + DRAFT, first + rows - tentative);
    table.set(JAVA_LONG, at + END, first + rows);
  }
}
