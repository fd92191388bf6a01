package weft.generate;

/**
 * How much of prompts a step reads while replies are written, so that nobody who follows one sees
 * it falter: a step with a prompt takes at most so many times what it takes without, and fewer than
 * half of the steps do. Time that is not used is saved up, for prompts are read at less cost in
 * larger pieces. All times are in steps without a prompt. Belongs to one thread.
 */
final class Pace {
  /**
   * What a step may take beyond its own time: 2.5 times it in all, where three times is too much.
   */
  private static final double LARGE = 1.5;

  /** What every step may take: so the median stays below 1.5, whatever the others take. */
  private static final double SMALL = 0.4;

  /** What each step gives: so of {@link #LARGE} ones there are two in five, fewer than half. */
  private static final double EARNED = 0.6;

  /** So much of its own time a step may take by mistake. */
  private static final double WORST = 3;

  /** So many times as long a step may take at most, however many wait for it to be. */
  private static final double MANY = 8;

  /** Of a machine that nothing is known of, so many tokens are risked. */
  private static final int FIRST = 16;

  /** One step in so many reads nothing, or it would be forgotten what such a step takes. */
  private static final int QUIET = 16;

  private final StepCost cost;
  private double saved = LARGE;
  private int sinceQuiet;

  Pace(StepCost cost) {
    this.cost = cost;
  }

  /** Nobody writes: whoever begins to has not waited yet. */
  void rest() {
    saved = LARGE;
  }

  /**
   * As {@link #next}, but as much as any step may take, saved up or not: a short prompt is read by
   * the time that a long one has begun. Where more wait for their first token than write, all of
   * them wait less if those who write wait for once, so a step may take longer in that measure.
   *
   * @param readers who wait for their first token
   * @param writers who follow a reply
   */
  int first(int written, int waiting, int room, int readers, int writers) {
    int most = Math.min(waiting, room);
    if (most <= 0 || !cost.isKnown()) return Math.min(most, FIRST);
    sinceQuiet++;
    double weight = Math.clamp((double) readers / writers, 1, MANY);
    return Math.max(1, largest(written, most, LARGE * weight));
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
    int chosen = sinceQuiet >= QUIET ? 0 : chosen(written, waiting, most);
    sinceQuiet = chosen == 0 ? 0 : sinceQuiet + 1;
    double extra = extra(written, chosen);
    // A large step is a large one, however large: it is their number that moves the median.
    saved = Math.min(LARGE, saved - (extra > SMALL ? LARGE : extra) + EARNED);
    return chosen;
  }

  private int chosen(int written, int waiting, int most) {
    int now = largest(written, most, Math.min(saved, LARGE));
    // At least a token, however dear: who waits longest must be served one day.
    if (saved >= LARGE) return Math.max(1, now);
    if (now == waiting) return now;
    int small = largest(written, most, Math.min(saved, SMALL));
    int large = largest(written, most, LARGE);
    double always = small / (1 + extra(written, small));
    double sometimes = large / (LARGE / EARNED + extra(written, large));
    return always >= sometimes ? small : 0;
  }

  private int largest(int written, int most, double limit) {
    double quiet = cost.of(written);
    for (int tokens = most; tokens > 0; tokens--) {
      int size = written + tokens;
      if (cost.of(size) <= (1 + limit) * quiet && isTried(size, limit, quiet)) return tokens;
    }
    return 0;
  }

  /**
   * Whether a size ran, or is worth a try: one that kernels are made for, or one that may take
   * twice as long as what ran before it, as behind such a size, and still not too long; where more
   * wait than write, every one.
   */
  private boolean isTried(int size, double limit, double quiet) {
    if (cost.hasRun(size)) return true;
    boolean isRound = Integer.bitCount(size) == 1;
    boolean isSafe = isRound || limit > LARGE || 2 * cost.before(size) <= WORST * quiet;
    return isSafe && cost.isNear(size);
  }

  private double extra(int written, int tokens) {
    double quiet = cost.of(written);
    return quiet == 0 || tokens == 0 ? 0 : Math.max(0, cost.of(written + tokens) / quiet - 1);
  }
}
