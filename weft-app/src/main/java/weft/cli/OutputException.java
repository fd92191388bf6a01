package weft.cli;

import java.io.IOException;

/** A result that could not be written: no command that throws it may end with status 0. */
final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** How systems call writing to a pipe that nobody reads any more. */
  private static final String BROKEN_PIPE = "Broken pipe";

  private final boolean isReaderGone;

  private OutputException(String message, IOException cause, boolean isReaderGone) {
    super(message, cause);
    this.isReaderGone = isReaderGone;
  }

  static OutputException of(IOException cause) {
    var reason = String.valueOf(cause.getMessage());
    return new OutputException(
        "the output cannot be written: " + reason, cause, reason.contains(BROKEN_PIPE));
  }

  /** Whether the reader wanted no more, as {@code head} does; there is nothing to tell it. */
  boolean isReaderGone() {
    return isReaderGone;
  }
}
