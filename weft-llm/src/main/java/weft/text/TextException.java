package weft.text;

/** A tokenizer or template that cannot be used: what was met, what was expected. */
public final class TextException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TextException(String message) {
    super(message);
  }

  public TextException(String message, Throwable cause) {
    super(message, cause);
  }
}
