package weft.cpu.kernel.recurrent;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;

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
  private static final Layout<RecurrentPart> LAYOUT = new Layout<>();

  static final int STATE = LAYOUT.address(RecurrentPart::state);
  static final int KEPT = LAYOUT.address(RecurrentPart::kept);

  /** Numbers of rows: the kept ones have those before the first. */
  static final int BEGIN = LAYOUT.number(part -> part.first - part.pending);

  static final int FIRST = LAYOUT.number(RecurrentPart::first);
  static final int DRAFT = LAYOUT.number(part -> part.first + part.rows - part.tentative);
  static final int END = LAYOUT.number(part -> part.first + part.rows);

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the entry of a part. */
  public void write(MemorySegment table, long part) {
    LAYOUT.write(this, table, part * BYTES);
  }
}
