package weft.net;

/**
 * A checkpoint that does not fit its family: the key or tensor, what was found, what was expected.
 */
public final class ModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ModelException(String message) {
    super(message);
  }

  public ModelException(String message, Throwable cause) {
    super(message, cause);
  }
}
