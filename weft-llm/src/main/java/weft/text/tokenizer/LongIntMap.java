package weft.text.tokenizer;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A hash map from non-negative longs to ints, without boxes; the hash is keyed, so a file cannot
 * choose collisions.
 */
final class LongIntMap {
  static final int ABSENT = -1;

  private static final long EMPTY = -1;

  private final long key = ThreadLocalRandom.current().nextLong() | 1;
  private long[] keys;
  private int[] values;
  private int size;

  LongIntMap(int expected) {
    int capacity = HashRoom.slots(expected);
    keys = new long[capacity];
    values = new int[capacity];
    Arrays.fill(keys, EMPTY);
  }

  /** Two ints as one key. */
  static long pair(int high, int low) {
    return (long) high << 32 | low;
  }

  int get(long wanted) {
    int slot = slot(wanted);
    return keys[slot] == wanted ? values[slot] : ABSENT;
  }

  void put(long added, int value) {
    int slot = slot(added);
    if (keys[slot] == EMPTY) {
      if (HashRoom.isFull(++size, keys.length)) {
        grow();
        slot = slot(added);
      }
      keys[slot] = added;
    }
    values[slot] = value;
  }

  private int slot(long wanted) {
    int mask = keys.length - 1;
    long hash = wanted * key;
    hash = (hash ^ hash >>> 32) * key;
    int slot = (int) (hash >>> 32) & mask;
    while (keys[slot] != EMPTY && keys[slot] != wanted) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new int[2 * oldKeys.length];
    Arrays.fill(keys, EMPTY);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != EMPTY) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
