package weft.generate;

/**
 * How much of prompts a step reads while replies are written, so that nobody who follows one sees
 * it falter: a step with a prompt takes at most so many times what it takes without, and most steps
 * hardly more than that. Belongs to one thread.
 */
final class Pace {
  /**
   * What a large step may take beyond its own time, in steps without a prompt: 1.7 of them in all,
   * where three are too much: texts grow meanwhile, and a shared machine adds half to a step now
   * and then.
   */
  private static final double LARGE = 0.7;

  /** What every step may take: so the median stays well below 1.5. */
  private static final double SMALL = 0.3;

  /** The part of all steps that may be large: less than half, or the median would be one. */
  private static final double OFTEN = 0.4;

  /** Steps that differ by no more than this take as long. */
  private static final double ALIKE = 1.1;

  /** So much of its own time a step may take by mistake. */
  private static final double WORST = 3;

  /** So many count at the most, however many wait for their first token. */
  private static final double MANY = 8;

  /** Of a machine that nothing is known of, so many tokens are risked. */
  private static final int FIRST = 16;

  /** One step in so many reads nothing, or it would be forgotten what such a step takes. */
  private static final int QUIET = 16;

  private final StepCost cost;

  /** Large steps that are allowed by now, not two behind each other. */
  private double saved = 1;

  private int sinceQuiet;

  Pace(StepCost cost) {
    this.cost = cost;
  }

  /** Nobody writes: whoever begins to has not waited yet. */
  void rest() {
    saved = 1;
  }

  /**
   * As {@link #next}, but as much as any step may take, saved up or not: a short prompt is read by
   * the time that a long one has begun. Where several wait for their first token, all of them wait
   * less if those who write wait for once, so a step may take longer in that measure.
   *
   * @param weight how many wait, or how many for each who writes
   */
  int first(int written, int waiting, int room, double weight) {
    int most = Math.min(waiting, room);
    if (most <= 0 || !cost.isKnown()) return Math.min(most, FIRST);
    sinceQuiet++;
    return Math.max(1, largest(written, most, LARGE * Math.clamp(weight, 1, MANY)));
  }

  /**
   * How many tokens of prompts the next step reads.
   *
   * @param written tokens that it feeds of replies
   * @param waiting tokens of prompts that there are to read
   * @param room tokens that a step may read at most
   */
  int next(int written, int waiting, int room) {
    int most = Math.min(waiting, room);
    if (most <= 0) return 0;
    if (!cost.isKnown()) return Math.min(most, FIRST);
    int chosen = sinceQuiet >= QUIET ? 0 : chosen(written, most);
    sinceQuiet = chosen == 0 ? 0 : sinceQuiet + 1;
    saved = Math.min(1 + OFTEN, saved + OFTEN - (extra(written, chosen) > SMALL ? 1 : 0));
    return chosen;
  }

  private int chosen(int written, int most) {
    int large = largest(written, most, LARGE);
    if (saved >= 1) return large > 0 ? large : dear(written, most);
    int small = largest(written, most, SMALL);
    // A few tokens may take so long that a prompt is read sooner by large steps alone.
    double often = small * (1 / OFTEN + extra(written, large));
    return often >= large * extra(written, small) ? small : 0;
  }

  /**
   * At least a token, however dear: who waits longest must be served one day. Behind a long text
   * the first takes most of what several do, and then all of those are read.
   */
  private int dear(int written, int most) {
    double one = cost.of(written + 1) / cost.usual(written);
    return Math.max(1, largest(written, most, ALIKE * one - 1));
  }

  private int largest(int written, int most, double limit) {
    double quiet = cost.usual(written);
    for (int tokens = most; tokens > 0; tokens--) {
      int size = written + tokens;
      if (cost.of(size) <= (1 + limit) * quiet && isSafe(size, limit, quiet)) return tokens;
    }
    return 0;
  }

  /**
   * Whether a size ran, or cannot take much too long: since a larger one does not, or since it is
   * the next after one that ran, which twice that time would suit if kernels are made for the one
   * before it. Where several wait, whatever is near what ran.
   */
  private boolean isSafe(int size, double limit, double quiet) {
    if (cost.hasRun(size) || cost.above(size) <= WORST * quiet) return true;
    if (limit > LARGE) return cost.isNear(size);
    double most = cost.isBehindRound(size) ? 2 * cost.before(size) : cost.of(size);
    return cost.isNext(size) && most <= WORST * quiet;
  }

  private double extra(int written, int tokens) {
    double quiet = cost.of(written);
    return quiet == 0 || tokens == 0 ? 0 : Math.max(0, cost.of(written + tokens) / quiet - 1);
  }
}
