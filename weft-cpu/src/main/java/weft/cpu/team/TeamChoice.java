package weft.cpu.team;

import java.util.Arrays;

/**
 * Whether the caller alone or all workers do steps that are alike, by what such steps took: two
 * cores that have a cache in common halve a step whose weights come from there, and two that have
 * none, or a core that another process has, make it longer. Which it is changes while a program
 * runs, so now and then a few steps are done the other way.
 */
public final class TeamChoice {
  /** Steps of a trial: the first wakes workers or lets them sleep, and does not count. */
  private static final int TRIAL = 4;

  /** From the end of a trial to the next one. */
  private static final int BETWEEN = 1024;

  private final Took alone = new Took();
  private final Took together = new Took();
  private boolean isAlone;
  private boolean isTrial = true;

  /** Steps until the way may change. */
  private int left = TRIAL;

  /** Whether the next step is the caller's. */
  public boolean isAlone() {
    return isAlone;
  }

  /** The step took so long. */
  public void took(long nanos) {
    boolean isFirst = isTrial && left == TRIAL;
    if (!isFirst) (isAlone ? alone : together).add(nanos);
    if (--left > 0) return;
    // At the beginning one trial follows the other.
    boolean isDecided = isTrial && alone.isKnown() && together.isKnown();
    isTrial = !isDecided;
    isAlone = isDecided ? alone.median() < together.median() : !isAlone;
    left = isDecided ? BETWEEN : TRIAL;
  }

  /** What the last few steps took. */
  private static final class Took {
    private final long[] last = new long[TRIAL - 1];
    private long count;

    void add(long nanos) {
      last[(int) (count++ % last.length)] = nanos;
    }

    boolean isKnown() {
      return count >= last.length;
    }

    long median() {
      var sorted = last.clone();
      Arrays.sort(sorted);
      return sorted[sorted.length / 2];
    }
  }
}
