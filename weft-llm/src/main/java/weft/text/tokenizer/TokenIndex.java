package weft.text.tokenizer;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds token ids by text, given as a string or as part of a character array; the hash is keyed, so
 * a file cannot choose collisions.
 */
final class TokenIndex {
  static final int ABSENT = -1;

  private final long key = ThreadLocalRandom.current().nextLong() | 1;
  private String[] texts;
  private int[] ids;
  private int size;

  TokenIndex(int expected) {
    int capacity = Integer.highestOneBit(Math.max(8, expected)) * 4;
    texts = new String[capacity];
    ids = new int[capacity];
    Arrays.fill(ids, ABSENT);
  }

  /** Enters a token; a text that is already there gets the new id. */
  void put(String text, int id) {
    int slot = slot(text);
    if (ids[slot] == ABSENT) {
      if (2 * ++size > ids.length) {
        grow();
        slot = slot(text);
      }
      texts[slot] = text;
    }
    ids[slot] = id;
  }

  int size() {
    return size;
  }

  int find(String text) {
    return ids[slot(text)];
  }

  int find(char[] text, int start, int end) {
    int mask = ids.length - 1;
    int slot = (int) hash(text, start, end) & mask;
    while (ids[slot] != ABSENT && !isSame(texts[slot], text, start, end)) {
      slot = (slot + 1) & mask;
    }
    return ids[slot];
  }

  /** The keyed hash of a text, for other tables over the same texts. */
  long hash(char[] text, int start, int end) {
    long hash = key;
    for (int i = start; i < end; i++) {
      hash = (Long.rotateLeft(hash, 21) ^ text[i]) * key;
    }
    return hash ^ hash >>> 32;
  }

  private int slot(String text) {
    int mask = ids.length - 1;
    long hash = key;
    for (int i = 0; i < text.length(); i++) {
      hash = (Long.rotateLeft(hash, 21) ^ text.charAt(i)) * key;
    }
    int slot = (int) (hash ^ hash >>> 32) & mask;
    while (ids[slot] != ABSENT && !texts[slot].equals(text)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static boolean isSame(String token, char[] text, int start, int end) {
    if (token.length() != end - start) {
      return false;
    }
    for (int i = 0; i < token.length(); i++) {
      if (token.charAt(i) != text[start + i]) {
        return false;
      }
    }
    return true;
  }

  private void grow() {
    String[] oldTexts = texts;
    int[] oldIds = ids;
    texts = new String[2 * oldTexts.length];
    ids = new int[2 * oldIds.length];
    Arrays.fill(ids, ABSENT);
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] != ABSENT) {
        int slot = slot(oldTexts[i]);
        texts[slot] = oldTexts[i];
        ids[slot] = oldIds[i];
      }
    }
  }
}
