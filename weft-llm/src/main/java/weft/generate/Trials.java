package weft.generate;

/**
 * When a draft of a token is tried though it does not seem to pay: now and then where the account
 * allows it, and beyond that on a loan. What drafts take may be known from a time when the JVM was
 * cold or another thread had a core; nothing would ever tell that this is over, and only what runs
 * is compiled. Belongs to one thread.
 */
final class Trials {
  /** Within the account, one step in so many. */
  private static final int DUE = 8;

  /** The part of each step's time that may be lent. */
  private static final double SHARE = 0.25;

  /** The nanoseconds that may be lent until drafts pay: about what compiling a drafter takes. */
  private static final double LENT = 500e6;

  /** Only guesses of this chance have a loan: what would they pay it back with? */
  private static final double PROMISING = 0.5;

  /** What is left to lend of what there was, where nothing came of it. */
  private static final double IN_VAIN = 0.8;

  private int since;
  private boolean hasHeld;
  private double left = LENT;
  private double saved;
  private boolean isLent;

  /** One that held is followed by another: the text may have changed. */
  boolean isDue() {
    return hasHeld || since >= DUE;
  }

  /** Whether a guess of this chance may have this time, which it is believed to lose. */
  boolean isLent(double nanos, double chance) {
    isLent = chance >= PROMISING && nanos <= saved;
    return isLent;
  }

  /** Drafts pay. */
  void rest() {
    left = LENT;
    isLent = false;
  }

  /** A step had a draft, of which so many tokens came true. */
  void drafted(int held) {
    since = 0;
    hasHeld = held > 0;
  }

  /** A step had none, and takes so long. */
  void plain(double nanos) {
    since++;
    saved = Math.min(left, saved + SHARE * nanos);
  }

  /**
   * What was lent is gone, if anything was.
   *
   * @param held how many tokens came true
   * @param lost the nanoseconds by which those would have been there sooner without a draft
   */
  void settle(int held, double lost) {
    if (!isLent) return;
    isLent = false;
    left -= Math.max(0, lost);
    if (held == 0) left *= IN_VAIN;
    saved = Math.min(left, saved - Math.max(0, lost));
  }
}
