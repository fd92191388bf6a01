package weft.cpu.team;

/** Who does a step: all workers, or the caller alone where the others would not be worth waking. */
public record Teams(Workers workers, boolean isFree) {
  /**
   * A step that reads no more than this is done in a millisecond by one core. Two would be quicker
   * by less than a third on an idle machine, and many times slower where another process has one.
   */
  private static final long SOLO_BYTES = 16 << 20;

  /** One that reads no more than this may come from caches: what is quicker is measured. */
  private static final long MEASURED_BYTES = 64 << 20;

  /** The most workers that a team has. */
  public int most() {
    return workers.count();
  }

  /** Whether steps that read so much are given to whom a {@link TeamChoice} says. */
  public boolean areMeasured(long bytes) {
    return isFree && workers.count() > 1 && bytes > SOLO_BYTES && bytes <= MEASURED_BYTES;
  }

  public Team of(long bytes) {
    return of(isFree && bytes <= SOLO_BYTES);
  }

  public Team of(TeamChoice choice) {
    return of(choice.isAlone());
  }

  private Team of(boolean isAlone) {
    return isAlone ? workers.solo() : workers;
  }
}
