package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Where the keys and values of one sequence lie, and where a step's rows of it stand: row r is at
 * position {@code position + r} and sees the positions up to its own, at most {@code window} of
 * them. A page holds {@link #POSITIONS} positions: the keys of each head, then the values of each.
 *
 * @param pages the addresses of the pages, by the numbers of their positions; those that no row
 *     sees are never looked at
 * @param keyBytes from one position's key to the next; {@link #KEYS_BEHIND} more behind the last
 *     head's last are readable
 * @param valueBytes from one position's value to the next
 * @param valuesAt where in a page the first head's values begin
 * @param window how many positions a row sees at most
 * @param position where the first row stands
 */
public record KvPart(
    MemorySegment pages,
    long keyBytes,
    long valueBytes,
    long valuesAt,
    long window,
    long position) {
  /** A power of two, and what attention of many rows unpacks at a time. */
  public static final int POSITIONS = 64;

  /** What a position is shifted by for the number of its page. */
  static final int SHIFT = Integer.numberOfTrailingZeros(POSITIONS);

  /** Positions are scored in fours, so as many keys that mean nothing may be read. */
  public static final int KEYS_BEHIND = 3;

  static final int BYTES = 72;

  static final int PAGES = 0;

  /** Where in a page the first head's keys are: at its beginning; and its values. */
  static final int KEYS_AT = 8;

  static final int VALUES_AT = 16;
  static final int KEY_BYTES = 24;
  static final int VALUE_BYTES = 32;
  static final int KEY_HEAD_BYTES = 40;
  static final int VALUE_HEAD_BYTES = 48;
  static final int WINDOW = 56;
  static final int POSITION = 64;

  /** The most positions that one of so many rows sees. */
  public long seen(int rows) {
    return Math.min(window, position + rows);
  }

  void write(MemorySegment block, long at) {
    block.set(ADDRESS, at + PAGES, pages);
    block.set(JAVA_LONG, at + KEYS_AT, 0);
    block.set(JAVA_LONG, at + VALUES_AT, valuesAt);
    block.set(JAVA_LONG, at + KEY_BYTES, keyBytes);
    block.set(JAVA_LONG, at + VALUE_BYTES, valueBytes);
    block.set(JAVA_LONG, at + KEY_HEAD_BYTES, POSITIONS * keyBytes);
    block.set(JAVA_LONG, at + VALUE_HEAD_BYTES, POSITIONS * valueBytes);
    block.set(JAVA_LONG, at + WINDOW, window);
    block.set(JAVA_LONG, at + POSITION, position);
  }
}
