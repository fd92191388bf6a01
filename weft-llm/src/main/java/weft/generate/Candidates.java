package weft.generate;

import java.util.Arrays;

/**
 * The tokens still in the running for one draw, each with a weight relative to the likeliest. The
 * arrays are as long as the longest start so far, and reused from token to token.
 */
final class Candidates {
  /** The typical are looked for among this many first; most often they are fewer. */
  private static final int FIRST_RANKS = 64;

  private static final int MORE_RANKS = 8;

  /** A nucleus is found by bands of likelihood: so many for each factor of e, down to e^-32. */
  private static final int BANDS_PER_E = 32;

  private static final int BANDS = 32 * BANDS_PER_E;

  private int[] ids = {};
  private float[] logits = {};
  private double[] weights = {};
  private float[] keys = {};
  private int[] order = {};
  private final double[] bands = new double[BANDS];
  private int count;

  /** Whether the likeliest come first. */
  private boolean ranked;

  private double temperature;
  private float greatest;

  private void begin(int room, double divisor) {
    if (ids.length < room) {
      ids = new int[room];
      logits = new float[room];
      weights = new double[room];
      keys = new float[room];
      order = new int[room];
    }
    temperature = divisor;
    greatest = Float.NEGATIVE_INFINITY;
    count = 0;
  }

  /** Starts with every token that is not forbidden, in the order of ids. */
  void all(Logits row, double divisor) {
    begin(row.size(), divisor);
    ranked = false;
    row.copyTo(keys);
    for (int id = 0; id < row.size(); id++) add(keys[id], id);
    weigh();
  }

  /** Starts with the k likeliest tokens, likeliest first. */
  void best(Logits row, double divisor, int k) {
    begin(k, divisor);
    count = row.greatest(k, ids, logits);
    if (count > 0) greatest = logits[0];
    ranked = true;
    weigh();
  }

  private void add(float logit, int id) {
    if (logit > Float.NEGATIVE_INFINITY) {
      ids[count] = id;
      logits[count++] = logit;
      greatest = Math.max(greatest, logit);
    }
  }

  /** The first, when they are ranked. */
  int likeliest() {
    return ids[0];
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether weights can be relative to the likeliest: an infinite one leaves no numbers. */
  boolean areWeighed() {
    return Float.isFinite(greatest);
  }

  /** Keeps the fewest likeliest whose weights reach this share of the total, in their order. */
  void topP(double share) {
    double goal = share * total();
    if (ranked) {
      int kept = reach(goal);
      // Rounding may leave the sum a hair below its goal even with everything in it.
      if (kept > 0) count = kept;
    } else {
      keepUpTo(lastOfNucleus(goal), logits);
    }
  }

  /**
   * The candidate that completes the goal when they are taken from the likeliest on. Only those of
   * the band that it lies in need to be put in order.
   */
  private int lastOfNucleus(double goal) {
    Arrays.fill(bands, 0);
    int lowest = 0;
    for (int i = 0; i < count; i++) {
      int band = band(i);
      bands[band] += weights[i];
      lowest = Math.max(lowest, band);
    }
    int band = 0;
    double above = 0;
    while (band < lowest && above + bands[band] < goal) above += bands[band++];
    for (int i = 0; i < count; i++) {
      keys[i] = band(i) == band ? logits[i] : Float.NEGATIVE_INFINITY;
    }
    int found = Best.select(keys, count, count, order);
    int last = 0;
    for (double sum = above + weights[order[0]]; sum < goal && last < found - 1; ) {
      sum += weights[order[++last]];
    }
    return order[last];
  }

  private int band(int i) {
    return (int) Math.min(BANDS - 1, -exponent(i) * BANDS_PER_E);
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
    keepUpTo(lastTypical(share * total), keys);
  }

  /** Keeps those with a greater key than the last to keep, and of equals those before it. */
  private void keepUpTo(int last, float[] by) {
    float bar = by[last];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (by[i] > bar || (by[i] == bar && i <= last)) {
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

  /**
   * A token drawn by weight: each waits for a time of its own, the shorter the likelier it is
   * (exponentially distributed, by its weight), and the first to come is it. In another company
   * logits are rounded otherwise; so two draws by one seed differ only where two tokens would have
   * come at nearly the same time, not wherever the weights before a token have changed a little.
   */
  int draw(Dice dice, long draw) {
    double shortest = Double.POSITIVE_INFINITY;
    int chosen = 0;
    for (int i = 0; i < count; i++) {
      if (weights[i] == 0) continue;
      double number = dice.roll(draw, ids[i]);
      // Most need no logarithm: -log(x) is never less than 1 - x.
      if (1 - number >= shortest * weights[i]) continue;
      double wait = -StrictMath.log(number) / weights[i];
      if (wait < shortest) {
        shortest = wait;
        chosen = i;
      }
    }
    return ids[chosen];
  }

  private void keep(int to, int from) {
    ids[to] = ids[from];
    logits[to] = logits[from];
    weights[to] = weights[from];
  }

  private void weigh() {
    for (int i = 0; i < count; i++) {
      weights[i] = Exp.of(exponent(i));
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
