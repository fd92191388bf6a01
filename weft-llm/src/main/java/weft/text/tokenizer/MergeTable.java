package weft.text.tokenizer;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Merges by their pair of ids: the merges as they come, left, right and result in order of rank,
 * and an open hash table of ranks over them. The hash is keyed, so a file cannot choose collisions.
 */
final class MergeTable {
  static final int ABSENT = -1;

  private final long key = ThreadLocalRandom.current().nextLong() | 1;
  private final int[] triples;
  private final int[] slots;

  /**
   * @param triples left, right, result, left, right, result, …, kept from now on; of two for the
   *     same pair the last counts
   * @param forbidden ids that no merge may result in
   */
  MergeTable(IntList triples, IntPredicate forbidden) {
    this.triples = triples.finished();
    int count = triples.size() / 3;
    slots = new int[HashRoom.slots(count)];
    Arrays.fill(slots, ABSENT);
    for (int rank = 0; rank < count; rank++) {
      if (!forbidden.test(result(rank))) {
        slots[slot(this.triples[3 * rank], this.triples[3 * rank + 1])] = rank;
      }
    }
  }

  /** The rank of the merge of two ids, or {@link #ABSENT}. */
  int rank(int left, int right) {
    return slots[slot(left, right)];
  }

  /** What the merge of a rank makes. */
  int result(int rank) {
    return triples[3 * rank + 2];
  }

  private int slot(int left, int right) {
    int mask = slots.length - 1;
    long hash = ((long) left << 32 | right) * key;
    hash = (hash ^ hash >>> 32) * key;
    int slot = (int) (hash >>> 32) & mask;
    while (slots[slot] != ABSENT && !isOf(slots[slot], left, right)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isOf(int rank, int left, int right) {
    return triples[3 * rank] == left && triples[3 * rank + 1] == right;
  }
}
