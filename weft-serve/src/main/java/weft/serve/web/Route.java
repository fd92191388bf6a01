package weft.serve.web;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A method and a path, and who answers there. A part of the path in braces, such as {@code {id}},
 * matches any one part; {@code {id...}} at the end matches all that is left.
 *
 * @param header one that a request must have to be meant; empty where none is asked for
 */
public record Route(String method, String path, Handler handler, String header) {
  private static final String ANY = "";

  /** Answers a visit, on its own thread. */
  @FunctionalInterface
  public interface Handler {
    void handle(Visit visit);
  }

  public static Route get(String path, Handler handler) {
    return new Route("GET", path, handler, ANY);
  }

  public static Route post(String path, Handler handler) {
    return new Route("POST", path, handler, ANY);
  }

  public static Route delete(String path, Handler handler) {
    return new Route("DELETE", path, handler, ANY);
  }

  /** For those who ask for a WebSocket, which begins as a request to get something. */
  public static Route socket(String path, Supplier<Talk> talks) {
    return get(path, new Talks(talks)).onlyWith(Talks.KEY);
  }

  /** The same for requests with a header alone: by it clients of a dialect are known. */
  public Route onlyWith(String header) {
    return new Route(method, path, handler, header);
  }

  /** Whether it answers requests for which something says which headers they have. */
  public boolean isFor(Predicate<String> headers) {
    return header.isEmpty() || headers.test(header);
  }

  /** What the braces of this path stand for in another; empty where it does not match. */
  public Optional<Map<String, String>> match(String met) {
    var pattern = parts(path);
    var parts = parts(met);
    var values = new LinkedHashMap<String, String>();
    for (int i = 0; i < pattern.size(); i++) {
      var expected = pattern.get(i);
      if (i >= parts.size()) return Optional.empty();
      if (expected.endsWith("...}")) {
        var rest = String.join("/", parts.subList(i, parts.size()));
        if (rest.isEmpty()) return Optional.empty();
        values.put(expected.substring(1, expected.length() - 4), rest);
        return Optional.of(values);
      }
      if (expected.startsWith("{")) {
        if (parts.get(i).isEmpty()) return Optional.empty();
        values.put(expected.substring(1, expected.length() - 1), parts.get(i));
      } else if (!expected.equals(parts.get(i))) {
        return Optional.empty();
      }
    }
    return pattern.size() == parts.size() ? Optional.of(values) : Optional.empty();
  }

  private static List<String> parts(String path) {
    return Arrays.asList(path.split("/", -1));
  }
}
