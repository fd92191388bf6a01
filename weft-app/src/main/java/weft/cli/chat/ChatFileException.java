package weft.cli.chat;

/** A conversation that cannot be saved or loaded. */
final class ChatFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ChatFileException(String message) {
    super(message);
  }

  ChatFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
