package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Where the keys and values of one sequence lie, and where a step's rows of it stand: row r is at
 * position {@code position + r} and sees the positions up to its own, at most {@code window} of
 * them. A position lies at its number modulo the capacity.
 *
 * @param keys the first head's keys; {@link #KEYS_BEHIND} more behind the last head's are readable
 * @param values the first head's values
 * @param keyBytes from one position's key to the next
 * @param valueBytes from one position's value to the next
 * @param capacity the positions of a head; a head's keys and values are this many further each
 * @param window how many positions a row sees at most
 * @param position where the first row stands
 */
public record KvPart(
    MemorySegment keys,
    MemorySegment values,
    long keyBytes,
    long valueBytes,
    long capacity,
    long window,
    long position) {
  /** Positions are scored in fours, so as many keys that mean nothing may be read. */
  public static final int KEYS_BEHIND = 3;

  static final int BYTES = 72;

  static final int KEYS = 0;
  static final int VALUES = 8;
  static final int KEY_BYTES = 16;
  static final int VALUE_BYTES = 24;
  static final int KEY_HEAD_BYTES = 32;
  static final int VALUE_HEAD_BYTES = 40;
  static final int CAPACITY = 48;
  static final int WINDOW = 56;
  static final int POSITION = 64;

  /** The most positions that one of so many rows sees. */
  public long seen(int rows) {
    return Math.min(window, position + rows);
  }

  void write(MemorySegment block, long at) {
    block.set(ADDRESS, at + KEYS, keys);
    block.set(ADDRESS, at + VALUES, values);
    block.set(JAVA_LONG, at + KEY_BYTES, keyBytes);
    block.set(JAVA_LONG, at + VALUE_BYTES, valueBytes);
    block.set(JAVA_LONG, at + KEY_HEAD_BYTES, capacity * keyBytes);
    block.set(JAVA_LONG, at + VALUE_HEAD_BYTES, capacity * valueBytes);
    block.set(JAVA_LONG, at + CAPACITY, capacity);
    block.set(JAVA_LONG, at + WINDOW, window);
    block.set(JAVA_LONG, at + POSITION, position);
  }
}
