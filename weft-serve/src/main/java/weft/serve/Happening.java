package weft.serve;

import java.time.Duration;
import java.util.Optional;

/**
 * What a server tells its operator; none of it is what a client sent. A value, safe for all
 * threads.
 */
public sealed interface Happening {
  /** A request was answered. {@code route} is one of the server's own names. */
  record Answered(String route, String method, int status, Duration taken) implements Happening {}

  /** Something failed that clients are not told about. */
  record Failed(String route, Throwable failure) implements Happening {}

  /** The server takes no more requests, and waits for those it has. */
  record Leaving(int inside, Duration grace) implements Happening {}

  /** What to say of it in a line; empty for what is only counted. */
  default Optional<String> sentence() {
    return switch (this) {
      case Answered _ -> Optional.empty();
      case Failed(var route, var failure) ->
          Optional.of("%s failed: %s".formatted(route, reason(failure)));
      case Leaving(int inside, var grace) ->
          Optional.of(
              "shutting down; %d requests have %d s to end".formatted(inside, grace.toSeconds()));
    };
  }

  /** The innermost reason. */
  private static String reason(Throwable failure) {
    var reason = failure;
    while (reason.getCause() != null) reason = reason.getCause();
    return reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage();
  }
}
