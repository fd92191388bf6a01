package weft.compile;

/** A graph that cannot be compiled: the op, the types, the target. */
public final class CompileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CompileException(String message) {
    super(message);
  }

  public CompileException(String message, Throwable cause) {
    super(message, cause);
  }
}
