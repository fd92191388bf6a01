package weft.cpu;

/** Ends a worker whose peers will never arrive; what went wrong is known already. */
final class Abandoned extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Abandoned() {
    super("another worker failed", null, false, false);
  }
}
