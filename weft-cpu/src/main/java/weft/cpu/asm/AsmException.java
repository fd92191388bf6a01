package weft.cpu.asm;

/** An instruction that cannot be encoded, or code that this machine will not run. */
public final class AsmException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public AsmException(String message) {
    super(message);
  }

  public AsmException(String message, Throwable cause) {
    super(message, cause);
  }
}
