package weft.text.tokenizer;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The texts of tokens, each once, and their ids by text; the hash is keyed, so a file cannot choose
 * collisions.
 *
 * <p>A text lies in a page of characters behind a header of three: its length, and its id in two. A
 * vocabulary of hundreds of thousands is so a few dozen objects, and a third of what as many
 * strings take.
 */
final class TokenIndex {
  static final int ABSENT = -1;
  static final int LONGEST = Character.MAX_VALUE;

  private static final int HEADER = 3;
  private static final int EMPTY = -1;

  /** A place is the number of a page above the offset in it; the longest text fits in a page. */
  private static final int PAGE_BITS = 17;

  private static final int PAGE = 1 << PAGE_BITS;

  private final long key = ThreadLocalRandom.current().nextLong() | 1;
  private char[][] pages = {new char[PAGE]};

  /** Behind the last text. */
  private int end;

  /** The places of texts, by hash. */
  private int[] slots;

  private int size;

  TokenIndex(int expected) {
    slots = emptySlots(HashRoom.slots(expected));
  }

  /** Enters a token and returns its place; a text that is already there gets the new id. */
  int put(String text, int id) {
    int place = write(text);
    int start = offset(place) + HEADER;
    int slot = slot(page(place), start, start + text.length());
    if (slots[slot] == EMPTY) {
      slots[slot] = place;
      end = place + HEADER + text.length();
      if (HashRoom.isFull(++size, slots.length)) {
        grow();
      }
    } else {
      place = slots[slot];
    }
    char[] page = page(place);
    page[offset(place) + 1] = (char) (id >>> Character.SIZE);
    page[offset(place) + 2] = (char) id;
    return place;
  }

  /** Writes a text behind the last one, where the next may overwrite it. */
  private int write(String text) {
    int place = end;
    if (offset(place) + HEADER + text.length() > PAGE || place >>> PAGE_BITS == pages.length) {
      place = pages.length << PAGE_BITS;
      pages = Arrays.copyOf(pages, pages.length + 1);
      pages[pages.length - 1] = new char[PAGE];
    }
    page(place)[offset(place)] = (char) text.length();
    text.getChars(0, text.length(), page(place), offset(place) + HEADER);
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
    return place == EMPTY ? ABSENT : id(place);
  }

  private int id(int place) {
    char[] page = page(place);
    return page[offset(place) + 1] << Character.SIZE | page[offset(place) + 2];
  }

  int length(int place) {
    return page(place)[offset(place)];
  }

  char charAt(int place, int index) {
    return page(place)[offset(place) + HEADER + index];
  }

  String text(int place) {
    return new String(page(place), offset(place) + HEADER, length(place));
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
    while (slots[slot] != EMPTY && !isAt(slots[slot], text, start, end)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isAt(int place, char[] text, int start, int end) {
    int from = offset(place) + HEADER;
    return Arrays.equals(page(place), from, from + length(place), text, start, end);
  }

  private char[] page(int place) {
    return pages[place >>> PAGE_BITS];
  }

  private static int offset(int place) {
    return place & PAGE - 1;
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
        int start = offset(place) + HEADER;
        slots[slot(page(place), start, start + length(place))] = place;
      }
    }
  }
}
