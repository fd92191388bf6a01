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

  /** What each step gives: so of {@link #LARGE} ones there are four in nine, fewer than half. */
  private static final double EARNED = 0.65;

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
    saved = Math.min(LARGE, saved - extra(written, chosen) + EARNED);
    return chosen;
  }

  private int chosen(int written, int waiting, int most) {
    int now = largest(written, most, Math.min(saved, LARGE));
    // At least a token, however dear: who waits longest must be served one day.
    if (saved >= LARGE) return Math.max(1, now);
    if (now == waiting) return now;
    int small = largest(written, most, Math.min(saved, SMALL));
    int large = largest(written, most, LARGE);
    return rate(written, small) >= rate(written, large) ? small : 0;
  }

  private int largest(int written, int most, double limit) {
    double quiet = cost.of(written);
    for (int tokens = most; tokens > 0; tokens--) {
      if (cost.of(written + tokens) <= (1 + limit) * quiet && cost.isNear(written + tokens)) {
        return tokens;
      }
    }
    return 0;
  }

  /** Tokens for their time. */
  private double rate(int written, int tokens) {
    return tokens == 0 ? 0 : tokens / Math.max(1e-9, extra(written, tokens));
  }

  private double extra(int written, int tokens) {
    double quiet = cost.of(written);
    return quiet == 0 || tokens == 0 ? 0 : Math.max(0, cost.of(written + tokens) / quiet - 1);
  }
}
