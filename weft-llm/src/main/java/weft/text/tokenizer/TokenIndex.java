package weft.text.tokenizer;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The texts of tokens, each once, and their ids by text; the hash is keyed, so a file cannot choose
 * collisions.
 */
final class TokenIndex {
  static final int ABSENT = -1;

  private static final int EMPTY = -1;

  private final long key = ThreadLocalRandom.current().nextLong() | 1;
  private final TextPages texts = new TextPages();

  /** The places of texts, by hash. */
  private int[] slots;

  private int size;

  TokenIndex(int expected) {
    slots = emptySlots(HashRoom.slots(expected));
  }

  /** Enters a token and returns its place; a text that is already there gets the new id. */
  int put(String token, int id) {
    char[] text = token.toCharArray();
    int slot = slot(text, 0, text.length);
    int place = slots[slot];
    if (place == EMPTY) {
      place = texts.add(text);
      slots[slot] = place;
      if (HashRoom.isFull(++size, slots.length)) {
        grow();
      }
    }
    texts.name(place, id);
    return place;
  }

  int size() {
    return size;
  }

  int find(String text) {
    return find(text.toCharArray(), 0, text.length());
  }

  int find(char[] text, int start, int end) {
    int place = slots[slot(text, start, end)];
    return place == EMPTY ? ABSENT : texts.id(place);
  }

  /** The texts, by the places that they were entered at. */
  TextPages texts() {
    return texts;
  }

  /** The keyed hash of a text, for other tables over the same texts. */
  long hash(char[] text, int start, int end) {
    long hash = key;
    for (int i = start; i < end; i++) {
      hash = (Long.rotateLeft(hash, 21) ^ text[i]) * key;
    }
    return hash ^ hash >>> 32;
  }

  private int slot(char[] text, int start, int end) {
    int mask = slots.length - 1;
    int slot = (int) hash(text, start, end) & mask;
    while (slots[slot] != EMPTY && !texts.isAt(slots[slot], text, start, end)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static int[] emptySlots(int count) {
    int[] slots = new int[count];
    Arrays.fill(slots, EMPTY);
    return slots;
  }

  private void grow() {
    int[] old = slots;
    slots = emptySlots(2 * old.length);
    for (int place : old) {
      if (place != EMPTY) {
        char[] text = texts.text(place);
        slots[slot(text, 0, text.length)] = place;
      }
    }
  }
}
