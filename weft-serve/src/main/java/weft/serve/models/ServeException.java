package weft.serve.models;

/** A server that cannot be as it was asked for: what was met, and what to do. */
public final class ServeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ServeException(String message) {
    super(message);
  }

  public ServeException(String message, Throwable cause) {
    super(message, cause);
  }
}
