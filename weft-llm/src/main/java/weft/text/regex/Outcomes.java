package weft.text.regex;

/**
 * What is known of a pattern's branches at the positions of a text: that they fail there, or,
 * inside look-aheads and atomic groups, where they end. With it each is tried at most once.
 */
final class Outcomes {
  static final int UNKNOWN = -1;
  static final int FAILURE = -2;
  static final Outcomes NONE = new Outcomes(0, 0, 0);

  private static final long MOST_BITS = 1L << 28;
  private static final int MOST_ENDS = 1 << 24;

  private final int from;
  private final int positions;
  private final long[] failed;

  /** By branch, then position: one more than the distance of the end, or 0 where none is known. */
  private final int[][] ends;

  private int rowsLeft;

  private Outcomes(int branches, int from, int positions) {
    this.from = from;
    this.positions = positions;
    this.failed = new long[(int) (((long) branches * positions >>> 6) + 1)];
    this.ends = new int[branches][0];
    this.rowsLeft = MOST_ENDS / Math.max(1, positions);
  }

  /** Outcomes between two positions; {@link #NONE} where they would take too much memory. */
  static Outcomes of(int branches, int from, int to) {
    int positions = to - from + 1;
    return (long) branches * positions > MOST_BITS ? NONE : new Outcomes(branches, from, positions);
  }

  /** The words that had to be cleared. */
  int words() {
    return failed.length + ends.length;
  }

  boolean isFailure(int branch, int at) {
    long bit = (long) branch * positions + (at - from);
    return (failed[(int) (bit >>> 6)] >>> bit & 1) != 0;
  }

  void fail(int branch, int first, int last) {
    for (int at = first; at <= last; at++) {
      long bit = (long) branch * positions + (at - from);
      failed[(int) (bit >>> 6)] |= 1L << bit;
    }
  }

  /** Where the branch's group ends when it comes to this position. */
  int end(int branch, int at) {
    int[] row = ends[branch];
    return row.length == 0 || row[at - from] == 0 ? UNKNOWN : from + row[at - from] - 1;
  }

  /** Remembers an end while there is memory for it; gives the words that had to be cleared. */
  int succeed(int branch, int at, int end) {
    boolean isNew = ends[branch].length == 0;
    if (isNew) {
      if (rowsLeft == 0) {
        return 0;
      }
      rowsLeft--;
      ends[branch] = new int[positions];
    }
    ends[branch][at - from] = end - from + 1;
    return isNew ? positions : 0;
  }
}
