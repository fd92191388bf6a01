package weft.lir;

/** A program that cannot be run as written: the launch or buffer, and what is wrong with it. */
public final class ProgramException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProgramException(String message) {
    super(message);
  }

  public ProgramException(String message, Throwable cause) {
    super(message, cause);
  }
}
