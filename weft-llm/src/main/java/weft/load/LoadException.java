package weft.load;

/** A model that cannot be put together from its parts: the part, and the next move. */
public final class LoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoadException(String message) {
    super(message);
  }

  public LoadException(String message, Throwable cause) {
    super(message, cause);
  }
}
