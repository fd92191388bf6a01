package weft.generate;

import java.time.Duration;

/** A request that an {@link Engine} has no place for: as many wait already as may. */
public final class BusyException extends GenerateException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  BusyException(int waiting, int allowed, Duration retryAfter) {
    super(
        "%d requests wait already, and the queue holds %d; try again in %d s"
            .formatted(waiting, allowed, retryAfter.toSeconds()));
    this.retryAfter = retryAfter;
  }

  /** When there may be a place, as replies have come lately: whole seconds, at least one. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
