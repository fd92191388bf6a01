package weft.serve.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import weft.experts.Traffic;
import weft.generate.EngineReport;

/** Counts and times what a server does. Names of routes are few. Safe for all threads. */
public final class Meters implements AutoCloseable {
  private static final Duration[] FIRST_TOKEN = {
    Duration.ofMillis(10), Duration.ofMillis(30), Duration.ofMillis(100), Duration.ofMillis(300),
    Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(30)
  };
  private static final Duration[] GAP = {
    Duration.ofMillis(1), Duration.ofMillis(3), Duration.ofMillis(10), Duration.ofMillis(30),
    Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofSeconds(3)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, EngineReport> reports = new ConcurrentHashMap<>();
  private final Map<String, Traffic> traffics = new ConcurrentHashMap<>();

  /** Meters of models that are registered: a second time is a warning of Micrometer's. */
  private final Set<List<String>> known = ConcurrentHashMap.newKeySet();

  private final Counter promptTokens;
  private final Counter cachedTokens;
  private final Counter answerTokens;
  private final Timer firstToken;
  private final Timer gap;

  public Meters() {
    promptTokens = counter("weft.tokens.prompt", "Tokens of prompts");
    cachedTokens = counter("weft.tokens.cached", "Tokens of prompts that were known already");
    answerTokens = counter("weft.tokens.generated", "Tokens of answers");
    firstToken =
        Timer.builder("weft.first.token")
            .description("From a request to its first token")
            .serviceLevelObjectives(FIRST_TOKEN)
            .register(registry);
    gap =
        Timer.builder("weft.token.gap")
            .description("Between the tokens of an answer")
            .serviceLevelObjectives(GAP)
            .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /**
   * A request is over. {@code route} is one of the server's own names, never what a client sent.
   */
  public void request(String route, int status, Duration taken) {
    Timer.builder("weft.requests")
        .description("Requests by route and status, and how long they took")
        .tag("route", route)
        .tag("status", Integer.toString(status))
        .register(registry)
        .record(taken);
  }

  public void firstToken(Duration taken) {
    firstToken.record(taken);
  }

  public void gap(Duration taken) {
    gap.record(taken);
  }

  public void tokens(int prompt, int cached, int answer) {
    promptTokens.increment(prompt);
    cachedTokens.increment(cached);
    answerTokens.increment(answer);
  }

  /** How a model's engine fares now. */
  public void engine(String model, EngineReport now) {
    reports.put(model, now);
    gauge("weft.engine.waiting", "Requests that wait", model, EngineReport::waiting);
    gauge("weft.engine.running", "Replies in the making", model, EngineReport::running);
    gauge("weft.engine.batch", "Replies in the last step", model, EngineReport::lastStepReplies);
    counter(
        "weft.engine.refused", "Requests refused by a full queue", model, EngineReport::refused);
    counter("weft.engine.preemptions", "Replies that gave way", model, EngineReport::preemptions);
    counter("weft.engine.steps", "Forward passes", model, EngineReport::steps);
    gauge("weft.kv.bytes", "Keys and values of texts", model, EngineReport::stateBytes);
    gauge(
        "weft.kv.budget.bytes",
        "The most that they may take; -1 where nothing bounds them",
        model,
        report -> report.stateBudget().orElse(-1));
    gauge("weft.prefix.tokens", "Tokens known from texts", model, EngineReport::cachedTokens);
    gauge("weft.prefix.texts", "Texts that are kept", model, EngineReport::cachedTexts);
    counter("weft.drafts.tokens", "Tokens that were guessed", model, EngineReport::draftedTokens);
    counter("weft.drafts.accepted", "Those that came true", model, EngineReport::acceptedTokens);
    gauge(
        "weft.pass.tokens", "Tokens that a pass gives a reply", model, EngineReport::tokensPerPass);
    for (int depth = 1; depth <= now.guesses().drafted().size(); depth++) depth(model, depth);
  }

  /** Guesses at a depth; there are as many as the longest draft had tokens. */
  private void depth(String model, int depth) {
    counter(
        "weft.drafts.depth.tokens",
        "Tokens that were guessed, by their depth in the draft",
        List.of(Tag.of("model", model), Tag.of("depth", Integer.toString(depth))),
        all -> at(all.get(model).guesses().drafted(), depth));
    counter(
        "weft.drafts.depth.accepted",
        "Those that came true, by their depth in the draft",
        List.of(Tag.of("model", model), Tag.of("depth", Integer.toString(depth))),
        all -> at(all.get(model).guesses().accepted(), depth));
  }

  /** A model that was loaded anew may not have come to that depth again. */
  private static double at(List<? extends Number> counts, int depth) {
    return depth <= counts.size() ? counts.get(depth - 1).doubleValue() : 0;
  }

  /** What only grows, until the model is loaded anew. */
  private void counter(
      String name, String description, String model, ToDoubleFunction<EngineReport> value) {
    counter(
        name,
        description,
        List.of(Tag.of("model", model)),
        all -> value.applyAsDouble(all.get(model)));
  }

  private void counter(
      String name,
      String description,
      List<Tag> tags,
      ToDoubleFunction<Map<String, EngineReport>> value) {
    if (!known.add(List.of(name, tags.toString()))) return;
    FunctionCounter.builder(name, reports, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** What the experts of a model with a budget have cost. */
  public void experts(String model, Traffic now) {
    traffics.put(model, now);
    traffic("weft.experts.hits", "Uses of experts that lay in memory", model, Traffic::hits);
    traffic("weft.experts.late", "Uses of experts that were on their way", model, Traffic::late);
    traffic("weft.experts.misses", "Uses of other experts", model, Traffic::misses);
    traffic("weft.experts.guessed", "Experts read ahead", model, Traffic::guessed);
    traffic("weft.experts.promotions", "Experts read for their heat", model, Traffic::promotions);
    traffic("weft.experts.read.bytes", "Bytes of experts read", model, Traffic::bytes);
    traffic(
        "weft.experts.stall.seconds",
        "How long steps waited for experts",
        model,
        traffic -> traffic.stall().toNanos() / 1e9);
    traffic(
        "weft.experts.budget.bytes",
        "The most that experts take",
        model,
        traffic -> traffic.slots() * traffic.slotBytes());
  }

  private void traffic(
      String name, String description, String model, ToDoubleFunction<Traffic> value) {
    gauge(name, description, model, traffics, value);
  }

  private void gauge(
      String name, String description, String model, ToDoubleFunction<EngineReport> value) {
    gauge(name, description, model, reports, value);
  }

  private <T> void gauge(
      String name,
      String description,
      String model,
      Map<String, T> values,
      ToDoubleFunction<T> value) {
    if (!known.add(List.of(name, model))) return;
    Gauge.builder(name, values, all -> value.applyAsDouble(all.get(model)))
        .description(description)
        .tag("model", model)
        .register(registry);
  }

  /** All of it in Prometheus's text form. */
  public String text() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
