package weft.cli;

/** A command that was called wrongly: what was given, and what to give instead. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
