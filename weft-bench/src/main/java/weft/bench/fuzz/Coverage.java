package weft.bench.fuzz;

/**
 * Which branches one execution took, and how often: instrumented classes call {@link #hit}. One
 * thread fuzzes in a process, so that this can be static; other threads' hits at worst add noise.
 */
public final class Coverage {
  /** More places than there are branches in all instrumented classes. */
  static final int PLACES = 1 << 17;

  private static final int[] COUNTS = new int[PLACES];
  private static final int[] TOUCHED = new int[PLACES];
  private static int touched;

  private Coverage() {}

  /** Called by instrumented code at each place where it may branch to. */
  public static void hit(int place) {
    if (COUNTS[place]++ == 0 && touched < PLACES) TOUCHED[touched++] = place;
  }

  /** Forgets what was hit since the last time. */
  static void clear() {
    for (int i = 0; i < touched; i++) COUNTS[TOUCHED[i]] = 0;
    touched = 0;
  }

  /** What a target's inputs have reached so far. */
  static final class Seen {
    private final byte[] seen = new byte[PLACES];
    private int places;

    /** Adds what was hit since {@link #clear}; whether there was anything new among it. */
    boolean add() {
      boolean isNew = false;
      for (int i = 0; i < touched; i++) {
        int place = TOUCHED[i];
        byte often = often(COUNTS[place]);
        if ((seen[place] & often) == 0) {
          if (seen[place] == 0) places++;
          seen[place] |= often;
          isNew = true;
        }
      }
      return isNew;
    }

    int places() {
      return places;
    }
  }

  /** A loop that runs twice as often is news; once more is not. */
  private static byte often(int count) {
    int power = 32 - Integer.numberOfLeadingZeros(count);
    return (byte) (1 << Math.min(power - 1, 7));
  }
}
