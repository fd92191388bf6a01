package weft.quant;

/** A use of a block format that the format does not allow. */
public final class QuantException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QuantException(String message) {
    super(message);
  }
}
