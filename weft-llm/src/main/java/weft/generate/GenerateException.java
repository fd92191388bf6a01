package weft.generate;

/** A request that cannot be generated: the limit, the value met and what to do. */
public class GenerateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GenerateException(String message) {
    super(message);
  }

  public GenerateException(String message, Throwable cause) {
    super(message, cause);
  }
}
