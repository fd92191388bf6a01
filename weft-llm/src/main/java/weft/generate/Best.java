package weft.generate;

/**
 * Finds the k greatest of many keys in falling order without sorting the rest: one pass over the
 * keys with a heap of k, whose root is the worst kept.
 */
final class Best {
  private Best() {}

  /**
   * Writes the indexes of the k greatest of the first {@code count} keys to the front of {@code
   * into}, greatest first, the lowest index first among equals, and gives how many there were: keys
   * of negative infinity do not count.
   */
  static int select(float[] keys, int count, int k, int[] into) {
    int size = 0;
    int i = 0;
    for (; i < count && size < k; i++) {
      if (keys[i] > Float.NEGATIVE_INFINITY) {
        into[size++] = i;
      }
    }
    for (int node = size / 2 - 1; node >= 0; node--) {
      sink(keys, into, node, size);
    }
    // A later index never beats an equal earlier one, so one comparison settles most keys.
    float worst = size > 0 ? keys[into[0]] : Float.POSITIVE_INFINITY;
    for (; i < count; i++) {
      if (keys[i] > worst) {
        into[0] = i;
        sink(keys, into, 0, size);
        worst = keys[into[0]];
      }
    }
    for (int end = size - 1; end > 0; end--) {
      int least = into[0];
      into[0] = into[end];
      into[end] = least;
      sink(keys, into, 0, end);
    }
    return size;
  }

  private static void sink(float[] keys, int[] heap, int node, int size) {
    int moving = heap[node];
    for (int child = 2 * node + 1; child < size; child = 2 * node + 1) {
      if (child + 1 < size && beats(keys, heap[child], heap[child + 1])) {
        child++;
      }
      if (!beats(keys, moving, heap[child])) {
        break;
      }
      heap[node] = heap[child];
      node = child;
    }
    heap[node] = moving;
  }

  private static boolean beats(float[] keys, int a, int b) {
    return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
  }
}
