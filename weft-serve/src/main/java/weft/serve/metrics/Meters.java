package weft.serve.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;

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

  /** All of it in Prometheus's text form. */
  public String text() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
