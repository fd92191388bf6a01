package weft.text.tokenizer;

import java.util.Arrays;

/** A growing list of ints. */
final class IntList {
  private int[] items;
  private int size;

  IntList() {
    this(0);
  }

  IntList(int expected) {
    items = new int[Math.max(16, expected)];
  }

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size++] = item;
  }

  void addAll(int[] added) {
    addAll(added, added.length);
  }

  void addAll(int[] added, int count) {
    if (size + count > items.length) {
      items = Arrays.copyOf(items, Math.max(2 * items.length, size + count));
    }
    System.arraycopy(added, 0, items, size, count);
    size += count;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return items[index];
  }

  void set(int index, int item) {
    items[index] = item;
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }

  /** The items of a list that nobody changes any more; copied only where it has room for others. */
  int[] finished() {
    return size == items.length ? items : toArray();
  }

  /** The items from an index on. */
  int[] tail(int from) {
    return Arrays.copyOfRange(items, from, size);
  }
}
