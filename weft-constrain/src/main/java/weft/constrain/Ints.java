package weft.constrain;

import java.util.Arrays;

/** Numbers that are collected. */
final class Ints {
  private int[] values = new int[64];
  private int size;

  void add(int value) {
    if (size == values.length) values = Arrays.copyOf(values, 2 * size);
    values[size++] = value;
  }

  void addAll(int[] more) {
    if (size + more.length > values.length) {
      values = Arrays.copyOf(values, Math.max(2 * values.length, size + more.length));
    }
    System.arraycopy(more, 0, values, size, more.length);
    size += more.length;
  }

  int size() {
    return size;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** Ascending, each once. */
  int[] toSet() {
    Arrays.sort(values, 0, size);
    int kept = Math.min(1, size);
    for (int i = 1; i < size; i++) if (values[i] != values[kept - 1]) values[kept++] = values[i];
    return Arrays.copyOf(values, kept);
  }
}
