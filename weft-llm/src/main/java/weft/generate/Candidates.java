package weft.generate;

import java.util.Arrays;

/**
 * The tokens still in the running for one draw, each with a weight relative to the likeliest. All
 * arrays are as long as the vocabulary, from the first draw on, and reused from token to token.
 */
final class Candidates {
  /** A nucleus is looked for among this many likeliest first; most are far smaller. */
  private static final int FIRST_RANKS = 64;

  private static final int MORE_RANKS = 8;

  private int[] ids = {};
  private float[] logits = {};
  private double[] weights = {};
  private float[] keys = {};
  private int[] order = {};
  private int count;

  /** Whether the likeliest come first. */
  private boolean ranked;

  private double temperature;
  private float greatest;

  private void begin(int vocabularySize, double divisor) {
    if (ids.length < vocabularySize) {
      ids = new int[vocabularySize];
      logits = new float[vocabularySize];
      weights = new double[vocabularySize];
      keys = new float[vocabularySize];
      order = new int[vocabularySize];
    }
    temperature = divisor;
    greatest = Float.NEGATIVE_INFINITY;
    count = 0;
  }

  /** Starts with every token that is not forbidden, in the order of ids. */
  void all(Logits row, double divisor) {
    begin(row.size(), divisor);
    ranked = false;
    for (int id = 0; id < row.size(); id++) add(row, id);
    weigh();
  }

  /** Starts with the k likeliest tokens, likeliest first; they lie in the k runs that peak most. */
  void best(Logits row, double divisor, int k) {
    begin(row.size(), divisor);
    for (int run = 0; run < row.runs(); run++) keys[run] = row.peak(run);
    int runs = Best.select(keys, row.runs(), Math.min(k, row.runs()), order);
    // In the order of ids, so that the lowest is first among equals.
    Arrays.sort(order, 0, runs);
    for (int i = 0; i < runs; i++) {
      int from = order[i] * Logits.RUN;
      for (int id = from; id < Math.min(row.size(), from + Logits.RUN); id++) add(row, id);
    }
    rank(k);
    weigh();
  }

  private void add(Logits row, int id) {
    float logit = row.at(id);
    if (logit > Float.NEGATIVE_INFINITY) {
      ids[count] = id;
      logits[count++] = logit;
      greatest = Math.max(greatest, logit);
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Keeps the fewest likeliest whose weights reach this share of the total. */
  void topP(double share) {
    double goal = share * total();
    int kept = ranked ? reach(goal) : 0;
    for (int ranks = FIRST_RANKS; kept == 0 && !ranked; ranks *= MORE_RANKS) {
      int most = Math.min(ranks, count);
      if (likeliestWeight(most) >= goal || most == count) {
        rank(most);
        weigh();
        kept = reach(goal);
      }
    }
    // Rounding may leave the sum a hair below its goal even with everything in it.
    if (kept > 0) count = kept;
  }

  /** What the likeliest weigh together, in the order in which {@link #rank} would put them. */
  private double likeliestWeight(int most) {
    int found = Best.select(logits, count, most, order);
    double sum = 0;
    for (int i = 0; i < found; i++) sum += weights[order[i]];
    return sum;
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

  /** Keeps the k likeliest, likeliest first. */
  private void rank(int k) {
    int found = Best.select(logits, count, k, order);
    for (int i = 0; i < found; i++) keys[i] = logits[order[i]];
    for (int i = 0; i < found; i++) order[i] = ids[order[i]];
    System.arraycopy(order, 0, ids, 0, found);
    System.arraycopy(keys, 0, logits, 0, found);
    count = found;
    ranked = true;
  }

  private void keep(int to, int from) {
    ids[to] = ids[from];
    logits[to] = logits[from];
    weights[to] = weights[from];
  }

  // StrictMath, because Math.exp may differ in its last bit between machines.
  private void weigh() {
    for (int i = 0; i < count; i++) {
      weights[i] = StrictMath.exp(exponent(i));
    }
  }

  private double exponent(int i) {
    return ((double) logits[i] - greatest) / temperature;
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
