package weft.backend;

/**
 * The greatest of the values that it is shown, greatest first and the first shown first among
 * equals, in the arrays of who asked for them. What is no number, or negative infinity, is none.
 */
final class Greatest {
  private final int[] indexes;
  private final float[] values;
  private final int most;
  private int count;

  Greatest(int most, int[] indexes, float[] values) {
    this.indexes = indexes;
    this.values = values;
    this.most = most;
  }

  int count() {
    return count;
  }

  /** What a value must exceed to be among them: one comparison settles most. */
  float bar() {
    return count == most ? values[count - 1] : Float.NEGATIVE_INFINITY;
  }

  void show(int index, float value) {
    if (!(value > bar())) return;
    int at = placeOf(value);
    int moved = Math.min(count, most - 1) - at;
    System.arraycopy(indexes, at, indexes, at + 1, moved);
    System.arraycopy(values, at, values, at + 1, moved);
    indexes[at] = index;
    values[at] = value;
    if (count < most) count++;
  }

  /** Behind those that are as great. */
  private int placeOf(float value) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (value > values[middle]) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
