package weft.serve;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.metrics.Meters;
import weft.serve.web.Dialect;
import weft.serve.web.Patience;
import weft.serve.web.Route;
import weft.serve.web.Visit;

/** Where every request arrives: finds who answers, and says what is wrong in that one's words. */
final class Reception {
  private static final String NOWHERE = "none";

  /** Who answers, and what the path says. */
  private record Way(Dialect dialect, Route route, Map<String, String> parameters) {}

  private final List<Dialect> dialects;
  private final ServerOptions options;
  private final Meters meters;
  private final Patience patience;
  private int inside; // guarded by this, as the next
  private boolean isLeaving;

  Reception(List<Dialect> dialects, ServerOptions options, Meters meters, Patience patience) {
    this.dialects = List.copyOf(dialects);
    this.options = options;
    this.meters = meters;
    this.patience = patience;
  }

  void receive(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    var path = request.path().path();
    var method = request.prologue().method().text();
    var ways = ways(path);
    var way = ways.stream().filter(each -> each.route.method().equals(method)).findFirst();
    var dialect = way.map(Way::dialect).orElseGet(() -> owner(path));
    var visit =
        new Visit(
            request,
            response,
            way.map(Way::parameters).orElse(Map.of()),
            patience,
            options.largestBody());
    enter();
    try {
      way.orElseThrow(() -> lost(ways, method, visit)).route.handler().handle(visit);
    } catch (ProblemException e) {
      refuse(visit, dialect, e.problem(), e);
    } catch (UncheckedIOException e) {
      throw e; // the client is gone, and Helidon closes its connection
    } catch (RuntimeException | Error e) {
      refuse(visit, dialect, new Problem.Internal(), e);
    } finally {
      leave();
      var name = way.map(each -> each.route.path()).orElse(NOWHERE);
      meters.request(name, visit.status(), Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private List<Way> ways(String path) {
    return dialects.stream()
        .flatMap(
            dialect ->
                dialect.routes().stream()
                    .flatMap(
                        route ->
                            route.match(path).stream()
                                .map(values -> new Way(dialect, route, values))))
        .toList();
  }

  private Dialect owner(String path) {
    return dialects.stream().filter(each -> each.owns(path)).findFirst().orElseThrow();
  }

  private static ProblemException lost(List<Way> ways, String method, Visit visit) {
    if (ways.isEmpty()) return new ProblemException(new Problem.UnknownRoute(method));
    var allowed = ways.stream().map(way -> way.route.method()).distinct().toList();
    visit.withHeader(HeaderNames.ALLOW.defaultCase(), String.join(", ", allowed));
    return new ProblemException(new Problem.WrongMethod(method, allowed));
  }

  private void refuse(Visit visit, Dialect dialect, Problem problem, Throwable failure) {
    if (visit.isAnswered()) throw new IllegalStateException("an answer broke off", failure);
    var refusal = dialect.refusal(problem);
    visit.send(refusal.status(), refusal.body());
  }

  private synchronized void enter() {
    inside++;
  }

  private synchronized void leave() {
    inside--;
    notifyAll();
  }

  /** Lets nobody in any more, and waits for those inside, for so long at most. */
  synchronized void leave(Duration grace) {
    isLeaving = true;
    long deadline = System.nanoTime() + grace.toNanos();
    try {
      while (inside > 0 && System.nanoTime() < deadline) {
        wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
