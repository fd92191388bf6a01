package weft.text.tokenizer;

import java.util.Arrays;

/** Merging by the ranked merges of a BPE vocabulary: lowest rank first, then leftmost. */
final class Merges {
  private final MergeTable table;

  Merges(MergeTable table) {
    this.table = table;
  }

  /** Merges the first {@code count} symbols in place and returns how many are left. */
  int apply(int[] symbols, int count) {
    if (count < 2) {
      return count;
    }
    int[] next = new int[count];
    int[] previous = new int[count];
    var queue = new Queue(count);
    for (int i = 0; i < count; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      if (i + 1 < count) {
        offer(queue, symbols, i, i + 1);
      }
    }
    while (queue.size > 0) {
      long entry = queue.poll();
      int at = (int) entry;
      int right = next[at];
      if (symbols[at] < 0 || right == count) {
        continue;
      }
      // An entry may be out of date. Like the reference, it counts while its pair still has the
      // same result.
      int rank = table.rank(symbols[at], symbols[right]);
      int result = table.result((int) (entry >>> 32));
      if (rank < 0 || table.result(rank) != result) {
        continue;
      }
      symbols[at] = result;
      symbols[right] = -1;
      next[at] = next[right];
      if (next[at] < count) {
        previous[next[at]] = at;
        offer(queue, symbols, at, next[at]);
      }
      if (previous[at] >= 0) {
        offer(queue, symbols, previous[at], at);
      }
    }
    int left = 0;
    for (int i = 0; i < count; i = next[i]) {
      symbols[left++] = symbols[i];
    }
    return left;
  }

  private void offer(Queue queue, int[] symbols, int left, int right) {
    int rank = table.rank(symbols[left], symbols[right]);
    if (rank >= 0) {
      queue.add((long) rank << 32 | left);
    }
  }

  /** A binary heap of longs, least first: the rank in the upper half, the position in the lower. */
  private static final class Queue {
    private long[] heap;
    private int size;

    Queue(int expected) {
      heap = new long[expected + 1];
    }

    void add(long entry) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      int i = size++;
      while (i > 0 && heap[(i - 1) >>> 1] > entry) {
        heap[i] = heap[(i - 1) >>> 1];
        i = (i - 1) >>> 1;
      }
      heap[i] = entry;
    }

    long poll() {
      long least = heap[0];
      long moved = heap[--size];
      int i = 0;
      while (2 * i + 1 < size) {
        int child = 2 * i + 1;
        if (child + 1 < size && heap[child + 1] < heap[child]) {
          child++;
        }
        if (heap[child] >= moved) {
          break;
        }
        heap[i] = heap[child];
        i = child;
      }
      heap[i] = moved;
      return least;
    }
  }
}
