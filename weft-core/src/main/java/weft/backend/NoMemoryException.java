package weft.backend;

/**
 * Memory that a device does not have for a program, or for what runs it. Sequences are as they
 * were; those that have no room for their own state meet a {@link NoRoomException}.
 */
public final class NoMemoryException extends BackendException {
  private static final long serialVersionUID = 1L;

  public NoMemoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
