package weft.cpu.team;

/** Ends a worker whose peers will never arrive; what went wrong is known already. */
public final class Abandoned extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Abandoned() {
    super("another worker failed", null, false, false);
  }
}
