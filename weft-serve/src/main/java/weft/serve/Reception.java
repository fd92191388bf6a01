package weft.serve;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.metrics.Meters;
import weft.serve.web.Connections;
import weft.serve.web.Dialect;
import weft.serve.web.Patience;
import weft.serve.web.Route;
import weft.serve.web.Talks;
import weft.serve.web.Visit;

/**
 * Where every request arrives: lets it in or not, finds who answers, and says what is wrong in that
 * one's words. Safe for all threads.
 */
final class Reception {
  private static final String NOWHERE = "none";
  private static final String VERSION = "/v1";
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** Who answers, and what the path says. */
  private record Way(Dialect dialect, Route route, Map<String, String> parameters) {}

  private final List<Dialect> dialects;
  private final ServerOptions options;
  private final Connections connections;
  private final Patience patience;
  private final Meters meters;
  private final Keys keys;
  private final Origins origins;
  private int inside; // guarded by this, as the next
  private boolean isLeaving;

  Reception(
      List<Dialect> dialects,
      ServerOptions options,
      Connections connections,
      Patience patience,
      Meters meters) {
    this.dialects = List.copyOf(dialects);
    this.options = options;
    this.connections = connections;
    this.patience = patience;
    this.meters = meters;
    this.keys = new Keys(options.keys());
    boolean isLocal = List.of("127.0.0.1", "localhost", "::1").contains(options.host());
    this.origins = new Origins(options.origins(), isLocal && !keys.areWanted());
  }

  void receive(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    var path = request.path().path();
    var method = request.prologue().method().text();
    var exact = ways(path, request);
    // llama.cpp's server answers without the version, too, and its clients ask so.
    var ways = exact.isEmpty() ? ways(VERSION + path, request) : exact;
    // What answers GET answers HEAD; the visit leaves the body out.
    var wanted = method.equals("HEAD") ? "GET" : method;
    var way = ways.stream().filter(each -> each.route.method().equals(wanted)).findFirst();
    var dialect = way.map(Way::dialect).orElseGet(() -> owner(path));
    var name = way.map(each -> each.route.path()).orElse(NOWHERE);
    var connection = connections.ofThisThread();
    var visit =
        new Visit(
            request,
            response,
            connection,
            way.map(Way::parameters).orElse(Map.of()),
            patience,
            options.largestBody(),
            (field, schema) -> options.reading().field(name + " " + field, schema));
    visit.withHeader(dialect.idHeader(), visit.id());
    if (visit.isLast()) visit.withHeader("Connection", "close");
    connection.begin();
    try {
      handle(visit, dialect, path, method, way, ways);
    } catch (ProblemException e) {
      if (isOurs(e.problem())) happened(new Happening.Failed(name, e));
      refuse(visit, dialect, e.problem());
    } catch (UncheckedIOException e) {
      throw gone(e);
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      happened(new Happening.Failed(name, e));
      refuse(visit, dialect, new Problem.Internal());
    } finally {
      connection.end();
      if (visit.isLast()) connection.endBehindAnswer();
      visit.failure().ifPresent(e -> happened(new Happening.Failed(name, e)));
      var taken = Duration.ofNanos(System.nanoTime() - start);
      meters.request(name, visit.status(), taken);
      happened(new Happening.Answered(name, way.isPresent() ? method : "", visit.status(), taken));
    }
  }

  private void handle(
      Visit visit, Dialect dialect, String path, String method, Optional<Way> way, List<Way> ways) {
    origins.requireWelcome(visit, method);
    if (origins.answers(visit, method)) return;
    if (!dialect.isOpen(path)) keys.requireKnown(visit);
    if (options.isIsolating()) visit.isolate(Keys.given(visit).orElseGet(visit::peer));
    if (method.equals("OPTIONS") && !ways.isEmpty()) {
      visit.withHeader("Allow", String.join(", ", allowed(ways)) + ", OPTIONS");
      visit.send(204, "text/plain", "");
      return;
    }
    var route = way.orElseThrow(() -> lost(ways, visit)).route();
    if (route.handler() instanceof Talks(var talks)) {
      // Nobody waits for a socket that rests: its messages come in one by one.
      var turns = new SocketTurns(route.path(), talks.get(), meters, this::happened);
      turns.answer(visit, turn -> inside(false, turn));
      throw new CloseConnectionException("the socket is over");
    }
    inside(dialect.isOpen(path), () -> route.handler().handle(visit));
  }

  private void inside(boolean isAlways, Runnable work) {
    enter(isAlways);
    try {
      work.run();
    } finally {
      leave();
    }
  }

  static boolean isOurs(Problem problem) {
    return problem instanceof Problem.Internal || problem instanceof Problem.UnloadableModel;
  }

  private void happened(Happening happening) {
    options.log().accept(happening);
  }

  private List<Way> ways(String path, ServerRequest request) {
    return dialects.stream()
        .flatMap(
            dialect ->
                dialect.routes().stream()
                    .filter(
                        route ->
                            route.isFor(
                                name -> request.headers().contains(HeaderNames.create(name))))
                    .flatMap(
                        route ->
                            route.match(path).stream()
                                .map(values -> new Way(dialect, route, values))))
        .toList();
  }

  private Dialect owner(String path) {
    return dialects.stream().filter(each -> each.owns(path)).findFirst().orElseThrow();
  }

  private static ProblemException lost(List<Way> ways, Visit visit) {
    if (ways.isEmpty()) return new ProblemException(new Problem.UnknownRoute());
    var allowed = allowed(ways);
    visit.withHeader("Allow", String.join(", ", allowed));
    return new ProblemException(new Problem.WrongMethod(allowed));
  }

  private static List<String> allowed(List<Way> ways) {
    return ways.stream()
        .map(way -> way.route.method())
        .flatMap(method -> method.equals("GET") ? Stream.of("GET", "HEAD") : Stream.of(method))
        .distinct()
        .toList();
  }

  private void refuse(Visit visit, Dialect dialect, Problem problem) {
    if (visit.isAnswered()) throw new CloseConnectionException("the answer broke off");
    switch (problem) {
      case Problem.Busy(var time) -> visit.withRetryAfter(time);
      case Problem.Leaving(var time) ->
          visit.withRetryAfter(time).withHeader("Connection", "close");
      default -> {} // nothing to do but to say it
    }
    visit.leaveUnread();
    var refusal = dialect.refusal(problem, visit.id());
    try {
      visit.send(refusal.status(), refusal.body());
    } catch (UncheckedIOException | ProblemException e) {
      throw gone(e);
    }
  }

  private static CloseConnectionException gone(RuntimeException e) {
    return new CloseConnectionException("the client is gone", e);
  }

  private synchronized void enter(boolean isAlways) {
    if (isLeaving && !isAlways) throw new ProblemException(new Problem.Leaving(RETRY));
    inside++;
  }

  private synchronized void leave() {
    inside--;
    notifyAll();
  }

  /** Where anybody answers. */
  List<Route> routes() {
    return dialects.stream().flatMap(dialect -> dialect.routes().stream()).toList();
  }

  /** Whether requests are let in. */
  synchronized boolean isReady() {
    return !isLeaving;
  }

  /** Lets nobody in any more, and waits for those inside, for so long at most. */
  synchronized void leave(Duration grace) {
    isLeaving = true;
    happened(new Happening.Leaving(inside, grace));
    await(grace);
  }

  /** Waits until nobody is inside, for so long at most. */
  synchronized void await(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (inside > 0 && System.nanoTime() < deadline) {
        wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
