package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;

/**
 * Where the keys and values of one sequence lie, and where a step's rows of it stand: row r is at
 * position {@code position + r} and sees the positions up to its own, at most {@code window} of
 * them, and all between that and {@code reach}. A page holds {@link #POSITIONS} positions: the keys
 * of each head, then the values of each.
 *
 * @param pages the addresses of the pages, by the numbers of their positions; those that no row
 *     sees are never looked at
 * @param keyBytes from one position's key to the next; {@link #KEYS_BEHIND} more behind the last
 *     head's last are readable
 * @param valueBytes from one position's value to the next
 * @param valuesAt where in a page the first head's values begin
 * @param window how many positions a row sees at most
 * @param position where the first row stands
 * @param reach up to which position every row sees, where that is behind its own: the last row of
 *     those that see each other, or 0
 */
public record KvPart(
    MemorySegment pages,
    long keyBytes,
    long valueBytes,
    long valuesAt,
    long window,
    long position,
    long reach) {
  /** A power of two, and what attention of many rows unpacks at a time. */
  public static final int POSITIONS = 64;

  /** What a position is shifted by for the number of its page. */
  static final int SHIFT = Integer.numberOfTrailingZeros(POSITIONS);

  /** Positions are scored in fours, so as many keys that mean nothing may be read. */
  public static final int KEYS_BEHIND = 3;

  static final Layout<KvPart> LAYOUT = new Layout<>();

  static final int PAGES = LAYOUT.address(KvPart::pages);

  /** Where in a page the first head's keys are: at its beginning; and its values. */
  static final int KEYS_AT = LAYOUT.number(_ -> 0);

  static final int VALUES_AT = LAYOUT.number(KvPart::valuesAt);
  static final int KEY_BYTES = LAYOUT.number(KvPart::keyBytes);
  static final int VALUE_BYTES = LAYOUT.number(KvPart::valueBytes);
  static final int KEY_HEAD_BYTES = LAYOUT.number(part -> POSITIONS * part.keyBytes);
  static final int VALUE_HEAD_BYTES = LAYOUT.number(part -> POSITIONS * part.valueBytes);
  static final int WINDOW = LAYOUT.number(KvPart::window);
  static final int POSITION = LAYOUT.number(KvPart::position);
  static final int REACH = LAYOUT.number(KvPart::reach);

  /** Writes what changes as the sequence moves on: its position, and its table where it grew. */
  void writeMoved(MemorySegment block, long at) {
    block.set(ADDRESS, at + PAGES, pages);
    block.set(JAVA_LONG, at + POSITION, position);
    block.set(JAVA_LONG, at + REACH, reach);
  }

  /** The most positions that one of so many rows sees. */
  public long seen(int rows) {
    long behind = Math.max(0, reach - position);
    return Math.min(window, Math.max(position + rows, reach + 1)) + behind;
  }
}
