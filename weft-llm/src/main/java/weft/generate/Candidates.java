package weft.generate;

/**
 * The tokens still in the running for one draw, each with a weight relative to the likeliest. All
 * arrays are as long as the vocabulary and reused from token to token.
 */
final class Candidates {
  /** A nucleus is looked for among this many likeliest first; most are far smaller. */
  private static final int FIRST_RANKS = 64;

  private static final int MORE_RANKS = 8;

  private final int[] ids;
  private final double[] weights;
  private final float[] keys;
  private final int[] order;
  private int count;
  private boolean ranked;

  private float[] logits = {};
  private double temperature;
  private float greatest;

  Candidates(int vocabularySize) {
    ids = new int[vocabularySize];
    weights = new double[vocabularySize];
    keys = new float[vocabularySize];
    order = new int[vocabularySize];
  }

  /** Starts with every token that is not forbidden, in the order of ids. */
  void all(float[] row, double divisor) {
    logits = row;
    temperature = divisor;
    greatest = Float.NEGATIVE_INFINITY;
    count = 0;
    ranked = false;
    for (int id = 0; id < row.length; id++) {
      if (row[id] > Float.NEGATIVE_INFINITY) {
        ids[count++] = id;
        greatest = Math.max(greatest, row[id]);
      }
    }
    weigh();
  }

  /** Starts with the k likeliest tokens, likeliest first. */
  void best(float[] row, double divisor, int k) {
    logits = row;
    temperature = divisor;
    rank(k);
    greatest = count == 0 ? Float.NEGATIVE_INFINITY : row[ids[0]];
    weigh();
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Keeps the fewest likeliest whose weights reach this share of the total. */
  void topP(double share) {
    double goal = share * total();
    int available = count;
    int kept = ranked ? reach(goal) : 0;
    for (int ranks = FIRST_RANKS; kept == 0; ranks *= MORE_RANKS) {
      rank(Math.min(ranks, available));
      weigh();
      kept = reach(goal);
      // Rounding may leave the sum a hair below its goal even with everything in it.
      if (kept == 0 && count == available) {
        kept = count;
      }
    }
    count = kept;
  }

  /** Keeps what is at least this share as likely as the likeliest. */
  void minP(double share) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (weights[i] >= share) {
        keep(kept++, i);
      }
    }
    count = kept;
  }

  /** Keeps the fewest whose surprise is nearest to the expected surprise and reach this share. */
  void typical(double share) {
    double total = total();
    double logTotal = StrictMath.log(total);
    double entropy = 0;
    for (int i = 0; i < count; i++) {
      if (weights[i] > 0) {
        entropy += weights[i] / total * (logTotal - exponent(i));
      }
    }
    for (int i = 0; i < count; i++) {
      keys[i] = (float) -Math.abs(logTotal - exponent(i) - entropy);
    }
    int last = lastTypical(share * total);
    float bar = keys[last];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (keys[i] > bar || (keys[i] == bar && i <= last)) {
        keep(kept++, i);
      }
    }
    count = kept;
  }

  /** The candidate that completes the goal when they are taken from the most typical on. */
  private int lastTypical(double goal) {
    for (int ranks = FIRST_RANKS; ; ranks *= MORE_RANKS) {
      int found = Best.select(keys, count, Math.min(ranks, count), order);
      double sum = 0;
      for (int i = 0; i < found; i++) {
        sum += weights[order[i]];
        if (sum >= goal) {
          return order[i];
        }
      }
      if (ranks >= count) {
        return order[found - 1];
      }
    }
  }

  /** The token that a number in [0, 1) points at when the weights lie end to end. */
  int at(double number) {
    double left = number * total();
    int chosen = 0;
    for (int i = 0; i < count; i++) {
      if (weights[i] > 0) {
        chosen = i;
        left -= weights[i];
        if (left < 0) {
          break;
        }
      }
    }
    return ids[chosen];
  }

  private void rank(int k) {
    count = Best.select(logits, logits.length, k, ids);
    ranked = true;
  }

  private void keep(int to, int from) {
    ids[to] = ids[from];
    weights[to] = weights[from];
  }

  // StrictMath, because Math.exp may differ in its last bit between machines.
  private void weigh() {
    for (int i = 0; i < count; i++) {
      weights[i] = StrictMath.exp(exponent(i));
    }
  }

  private double exponent(int i) {
    return ((double) logits[ids[i]] - greatest) / temperature;
  }

  private double total() {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weights[i];
    }
    return sum;
  }

  /** How many from the front make up the goal, or 0 when all do not. */
  private int reach(double goal) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weights[i];
      if (sum >= goal) {
        return i + 1;
      }
    }
    return 0;
  }
}
