package weft.serve.page;

import java.util.List;
import java.util.Map;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.Dialect;
import weft.serve.web.Json;
import weft.serve.web.Route;
import weft.serve.web.Visit;

/** {@code /} and {@code /page/…}: the page, under a policy that lets it reach this server alone. */
public final class Page implements Dialect {
  /**
   * No script, style, font or connection but of this server, no frame around it, and HTML made of
   * text only by the library that cleans it.
   */
  static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "font-src 'self'",
          "img-src 'self' data: blob:",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types dompurify");

  /** What a browser is told with every file. */
  static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", POLICY,
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "X-Frame-Options", "DENY",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Permissions-Policy", "camera=(), microphone=(), geolocation=()",
          // Always asked for, seldom sent: an upgraded server is never met with a file of the old.
          "Cache-Control", "no-cache",
          "Vary", "Accept-Encoding");

  private static final String FILES = "/page/";

  private final Assets assets = new Assets();

  private final List<Route> routes =
      List.of(
          Route.get("/", visit -> send(visit, Assets.START)),
          Route.get(FILES + "{file...}", visit -> send(visit, visit.parameter("file"))));

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean owns(String path) {
    return path.equals("/") || path.startsWith(FILES);
  }

  /** A key is asked for by the page itself. */
  @Override
  public boolean isOpen(String path) {
    return owns(path);
  }

  @Override
  public Refusal refusal(Problem problem, String request) {
    int status =
        switch (problem) {
          case Problem.UnknownRoute _ -> 404;
          case Problem.WrongMethod _ -> 405;
          case Problem.ForeignOrigin _ -> 403;
          default -> 500; // the page asks for nothing that could be wrong in another way
        };
    return new Refusal(status, Json.object().put("error", problem.sentence()));
  }

  private void send(Visit visit, String name) {
    var asset =
        assets.find(name).orElseThrow(() -> new ProblemException(new Problem.UnknownRoute()));
    HEADERS.forEach(visit::withHeader);
    visit.withHeader("ETag", asset.tag());
    if (visit.header("If-None-Match").filter(asset.tag()::equals).isPresent()) {
      visit.send(304, asset.type(), new byte[0]);
    } else if (visit.header("Accept-Encoding").filter(Page::takesGzip).isPresent()) {
      visit.withHeader("Content-Encoding", "gzip").send(200, asset.type(), asset.packed());
    } else {
      visit.send(200, asset.type(), asset.bytes());
    }
  }

  private static boolean takesGzip(String accepted) {
    return List.of(accepted.split("\\s*,\\s*")).contains("gzip");
  }
}
