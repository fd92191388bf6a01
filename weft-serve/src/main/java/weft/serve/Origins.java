package weft.serve;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.Visit;

/**
 * Which pages may call: those of the server itself, and of the origins that are listed. Browsers
 * keep the answers from all others, but for sockets, and send some requests for them before they
 * ask; those are refused here. Safe for all threads.
 */
final class Origins {
  private static final String METHODS = "GET, POST, DELETE, OPTIONS";
  private static final String EXPOSED = "x-request-id, request-id, Retry-After";

  private final List<String> listed;
  private final boolean isRebindable;

  /** {@code isRebindable} says that a name which leads here may be somebody else's. */
  Origins(List<String> listed, boolean isRebindable) {
    this.listed = listed.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
    this.isRebindable = isRebindable;
  }

  /** Lets a visit in and says so to its browser, or refuses it. */
  void requireWelcome(Visit visit, String method) {
    var origin = visit.header("Origin");
    if (origin.isEmpty()) return;
    if (isListed(origin.get())) {
      visit.withHeader("Access-Control-Allow-Origin", origin.get());
      visit.withHeader("Vary", "Origin");
      visit.withHeader("Access-Control-Expose-Headers", EXPOSED);
      return;
    }
    boolean isOwn = host(origin.get()).equals(visit.header("Host"));
    boolean isRefused =
        isOwn
            ? isRebindable && !isLocal(origin.get())
            : visit.wantsSocket() || method.equals("POST") && !isJson(visit.header("Content-Type"));
    if (isRefused) throw new ProblemException(new Problem.ForeignOrigin());
  }

  /** Whether a browser asks on behalf of a listed page; it is answered then. */
  boolean answers(Visit visit, String method) {
    boolean isAsking =
        method.equals("OPTIONS") && visit.header("Access-Control-Request-Method").isPresent();
    if (!isAsking || !visit.header("Origin").map(this::isListed).orElse(false)) return false;
    visit.withHeader("Access-Control-Allow-Methods", METHODS);
    // Vendors' clients send more of them with every version: a listed page may send what it likes.
    visit.withHeader(
        "Access-Control-Allow-Headers",
        visit.header("Access-Control-Request-Headers").orElse("Authorization, Content-Type"));
    visit.withHeader("Access-Control-Max-Age", "600");
    visit.send(204, "text/plain", "");
    return true;
  }

  private boolean isListed(String origin) {
    return listed.contains("*") || listed.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** JSON is sent for a page of another origin only after asking, which is refused. */
  private static boolean isJson(Optional<String> type) {
    return type.map(value -> value.toLowerCase(Locale.ROOT).startsWith("application/json"))
        .orElse(false);
  }

  private static Optional<String> host(String origin) {
    int scheme = origin.indexOf("://");
    return scheme < 0 ? Optional.empty() : Optional.of(origin.substring(scheme + 3));
  }

  private static boolean isLocal(String origin) {
    try {
      var host = Optional.ofNullable(URI.create(origin).getHost()).orElse("");
      return List.of("localhost", "127.0.0.1", "[::1]").contains(host.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
