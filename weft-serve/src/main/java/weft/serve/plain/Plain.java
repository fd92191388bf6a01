package weft.serve.plain;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import weft.generate.GenerateException;
import weft.load.LanguageModel;
import weft.serve.ask.Answering;
import weft.serve.ask.Problem;
import weft.serve.metrics.Meters;
import weft.serve.openai.OpenAi;
import weft.serve.web.Dialect;
import weft.serve.web.Json;
import weft.serve.web.Route;
import weft.serve.web.Visit;

/** What operators ask, and what has no dialect; what is wrong is said as OpenAI says it. */
public final class Plain implements Dialect {
  private final Meters meters;
  private final Answering answering;
  private final BooleanSupplier isReady;
  private final List<Route> routes;

  /** {@code all} are the routes of every dialect. */
  public Plain(
      Answering answering, Meters meters, BooleanSupplier isReady, Supplier<List<Route>> all) {
    this.meters = meters;
    this.answering = answering;
    this.isReady = isReady;
    this.routes =
        List.of(
            Route.get("/health", this::ready),
            Route.get("/health/live", this::live),
            Route.get("/health/ready", this::ready),
            Route.get("/metrics", this::metrics),
            Route.get("/v1/health", this::ready),
            Route.get("/openapi.json", visit -> visit.send(200, OpenApi.document(all.get()))));
  }

  private void live(Visit visit) {
    visit.send(200, Json.object().put("status", "ok"));
  }

  private void ready(Visit visit) {
    boolean isIn = isReady.getAsBoolean();
    visit.send(isIn ? 200 : 503, Json.object().put("status", isIn ? "ok" : "shutting down"));
  }

  private void metrics(Visit visit) {
    answering.shelf().loaded().forEach(this::measure);
    visit.send(200, "text/plain; version=0.0.4; charset=utf-8", meters.text());
  }

  private void measure(String name, LanguageModel model) {
    try {
      meters.engine(name, model.report());
      model.experts().ifPresent(traffic -> meters.experts(name, traffic));
    } catch (GenerateException e) {
      // It was unloaded meanwhile: what is known of it is as it was.
    }
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean owns(String path) {
    return false;
  }

  @Override
  public boolean isOpen(String path) {
    return path.equals("/health") || path.startsWith("/health/") || path.equals("/v1/health");
  }

  @Override
  public Refusal refusal(Problem problem, String request) {
    return OpenAi.error(problem);
  }
}
