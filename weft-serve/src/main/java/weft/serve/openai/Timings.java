package weft.serve.openai;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Cost;
import weft.serve.web.Json;

/** How long an answer took, as llama.cpp's server says it beside what OpenAI has. */
public final class Timings {
  private Timings() {}

  public static ObjectNode of(Cost cost) {
    var timings = Json.object().put("cache_n", cost.cachedTokens());
    put(timings, "prompt", cost.promptTokens() - cost.cachedTokens(), cost.prefill());
    put(timings, "predicted", cost.answerTokens(), cost.decode());
    return timings;
  }

  private static void put(ObjectNode timings, String name, int tokens, Duration time) {
    double millis = time.toNanos() / 1e6;
    timings.put(name + "_n", tokens);
    timings.put(name + "_ms", millis);
    timings.put(name + "_per_token_ms", millis / Math.max(1, tokens));
    timings.put(name + "_per_second", millis == 0 ? 0 : tokens * 1000 / millis);
  }
}
