package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Where the keys and values of one row's sequence lie, an entry of the table that storing and
 * attending read. Places are those of the first head; a head's are {@code headBytes} further each.
 *
 * @param key where the row's own key goes
 * @param value where its value goes
 * @param keyHeadBytes from one head's keys to the next head's
 * @param valueHeadBytes from one head's values to the next head's
 * @param first the positions that the row sees, its own the last of them
 * @param second the rest of them where a ring wraps, else none
 */
public record KvRow(
    MemorySegment key,
    MemorySegment value,
    long keyHeadBytes,
    long valueHeadBytes,
    Run first,
    Run second) {
  public static final long BYTES = 80;

  static final int KEY = 0;
  static final int VALUE = 8;
  static final int KEY_HEAD_BYTES = 16;
  static final int VALUE_HEAD_BYTES = 24;
  static final int FIRST = 32;
  static final int SECOND = 56;

  /** In a run. */
  static final int KEYS = 0;

  static final int VALUES = 8;
  static final int COUNT = 16;

  /** Positions that lie one after the other. */
  public record Run(MemorySegment keys, MemorySegment values, long count) {
    public static final Run NONE = new Run(MemorySegment.NULL, MemorySegment.NULL, 0);

    private void write(MemorySegment table, long at) {
      table.set(ADDRESS, at + KEYS, keys);
      table.set(ADDRESS, at + VALUES, values);
      table.set(JAVA_LONG, at + COUNT, count);
    }
  }

  /** Writes the entry of a row. */
  public void write(MemorySegment table, long row) {
    long at = row * BYTES;
    table.set(ADDRESS, at + KEY, key);
    table.set(ADDRESS, at + VALUE, value);
    table.set(JAVA_LONG, at + KEY_HEAD_BYTES, keyHeadBytes);
    table.set(JAVA_LONG, at + VALUE_HEAD_BYTES, valueHeadBytes);
    first.write(table, at + FIRST);
    second.write(table, at + SECOND);
  }
}
