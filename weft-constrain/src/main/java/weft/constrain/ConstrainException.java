package weft.constrain;

/** A schema, a pattern or a grammar that cannot be kept; the message names what in it and why. */
public final class ConstrainException extends RuntimeException {
  public ConstrainException(String message) {
    super(message);
  }
}
