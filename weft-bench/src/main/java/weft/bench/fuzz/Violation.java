package weft.bench.fuzz;

/** A result that breaks a promise of what was run: what it gave, and what it should have. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Violation(String message) {
    super(message);
  }
}
