package weft.image;

/** A picture that cannot be taken: what was met, and what is. */
public final class ImageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ImageException(String message) {
    super(message);
  }

  public ImageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The same of a picture that has a name. */
  public ImageException about(String name) {
    return new ImageException(name + ": " + getMessage(), this);
  }
}
