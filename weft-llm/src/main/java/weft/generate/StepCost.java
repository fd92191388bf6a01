package weft.generate;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * What a step takes by how many tokens it feeds, learned from the steps that ran: the median of the
 * last few of each size, and between sizes a straight line. Belongs to one thread.
 */
final class StepCost {
  /** Up to here each number of tokens is a size of its own: most steps of replies are so small. */
  private static final int SMALL = 16;

  /** Of each size so many are remembered; a median of them is deaf to a busy machine. */
  private static final int SAMPLES = 7;

  /** What nothing has confirmed for so many steps is tried again: texts grow, machines change. */
  private static final int STALE = 4096;

  /** A size is guessed at from one that is known, and not much smaller. */
  private static final double NEAR = 1.5;

  private static final class Recent {
    private final long[] nanos = new long[SAMPLES];
    private int count;
    private long last;
    private double tokens;
    private long median;

    /** The first of a size may have compiled its program, and says nothing. */
    private boolean isKnown(long now) {
      return count > 1 && now - last <= STALE;
    }

    private void add(int fed, long took, long now) {
      if (count > 1 && now - last > STALE) count = 1;
      count++;
      last = now;
      if (count == 1) return;
      nanos[(count - 2) % SAMPLES] = took;
      int known = Math.min(SAMPLES, count - 1);
      tokens = tokens == 0 || known == 1 ? fed : tokens + (fed - tokens) / known;
      long[] sorted = Arrays.copyOf(nanos, known);
      Arrays.sort(sorted);
      median = sorted[known / 2];
    }
  }

  private final TreeMap<Integer, Recent> bySize = new TreeMap<>();
  private long steps;

  void ran(int tokens, long nanos) {
    steps++;
    bySize.computeIfAbsent(size(tokens), _ -> new Recent()).add(tokens, nanos, steps);
  }

  /** Larger steps are alike where they differ by less than a quarter. */
  private static int size(int tokens) {
    if (tokens <= SMALL) return tokens;
    int quarter = Integer.highestOneBit(tokens) / 4;
    return Math.ceilDiv(tokens, quarter) * quarter;
  }

  boolean isKnown() {
    return bySize.values().stream().anyMatch(recent -> recent.isKnown(steps));
  }

  /** Whether a step of so many tokens is not much larger than one that is known. */
  boolean isNear(int tokens) {
    double largest = 0;
    for (Recent recent : bySize.values()) {
      if (recent.isKnown(steps)) {
        if (recent.tokens > tokens) break;
        largest = recent.tokens;
      }
    }
    return largest == 0 || tokens <= NEAR * largest + 1;
  }

  /**
   * The nanoseconds that a step of so many tokens should take. Beyond what is known they grow with
   * the tokens, below it they stay: both are the dearer guess.
   */
  double of(int tokens) {
    double fewer = 0;
    double theirs = 0;
    for (Recent recent : bySize.values()) {
      if (!recent.isKnown(steps)) continue;
      if (recent.tokens >= tokens) {
        if (fewer == 0) return recent.median;
        double share = (tokens - fewer) / (recent.tokens - fewer);
        return theirs + share * (recent.median - theirs);
      }
      fewer = recent.tokens;
      theirs = recent.median;
    }
    return fewer == 0 ? 0 : theirs * tokens / fewer;
  }
}
