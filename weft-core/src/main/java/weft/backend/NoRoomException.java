package weft.backend;

/**
 * Memory for the state of a sequence that is not to be had. It is said before a step begins:
 * nothing ran, every sequence is as it was and holds what it held.
 */
public final class NoRoomException extends BackendException {
  private static final long serialVersionUID = 1L;

  private final long needed;
  private final long free;

  NoRoomException(String whose, long needed, StatePool pool) {
    super(
        "%s needs %d bytes more for its state, and of %d bytes for all states %d are free; allow more (--memory), shorten the text, or run fewer at once"
            .formatted(whose, needed, pool.budget(), pool.free()));
    this.needed = needed;
    this.free = pool.free();
  }

  /** The system itself has no such memory. */
  public NoRoomException(long needed, Throwable cause) {
    super(
        "the system has no %d bytes for the state of a sequence; use a shorter --context or smaller keys and values"
            .formatted(needed),
        cause);
    this.needed = needed;
    this.free = 0;
  }

  /** The bytes that were asked for. */
  public long needed() {
    return needed;
  }

  /** The bytes that were free. */
  public long free() {
    return free;
  }
}
