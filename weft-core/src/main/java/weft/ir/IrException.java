package weft.ir;

/** A graph that breaks a rule of the IR: the op, what was met and what was expected. */
public final class IrException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public IrException(String message) {
    super(message);
  }
}
