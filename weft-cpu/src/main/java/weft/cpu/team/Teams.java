package weft.cpu.team;

/** Who does a step: all workers, or the caller alone where the others would not be worth waking. */
public record Teams(Workers workers, boolean isFree) {
  /**
   * A step that reads no more than this is done in a millisecond by one core. Two would be quicker
   * by less than a third on an idle machine, and many times slower where another process has one.
   */
  private static final long SOLO_BYTES = 16 << 20;

  /** The most workers that a team has. */
  public int most() {
    return workers.count();
  }

  public Team of(long bytes) {
    return isFree && bytes <= SOLO_BYTES ? workers.solo() : workers;
  }
}
