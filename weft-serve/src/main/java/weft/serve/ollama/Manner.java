package weft.serve.ollama;

import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import weft.chat.ChatOptions;
import weft.generate.Penalties;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.serve.ask.Ask;
import weft.serve.ask.Form;
import weft.serve.ask.Prompt;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/**
 * How an answer is made, as Ollama's fields say it. What is about the machine, such as {@code
 * num_ctx} and {@code num_gpu}, is the server's own choice and ignored.
 */
final class Manner {
  /** Texts that end an answer. */
  static final int MOST_STOPS = 16;

  /** Of such a text. */
  static final int LONGEST_STOP = 1024;

  /** Alternatives that a token names; the vendor's own number. */
  static final int MOST_LOGPROBS = 20;

  private static final String LATEST = ":latest";

  private Manner() {}

  /** Clients may name a tag behind the name of a model, of which there is one here. */
  static String model(Fields body, List<String> served) {
    var name = body.text("model").or(() -> body.text("name")).orElse(Ask.FIRST_MODEL);
    boolean isTagged = name.endsWith(LATEST) && !served.contains(name);
    return isTagged ? name.substring(0, name.length() - LATEST.length()) : name;
  }

  static Ask ask(Visit visit, String model, Prompt prompt, Fields body) {
    checkKeepAlive(body);
    var options = body.object("options").orElseGet(() -> Fields.of(Json.object(), "options"));
    return Ask.of(model, prompt, sampling(options))
        .withStops(stops(options))
        .withForm(form(body))
        .withLogprobs(logprobs(body))
        .withIsolation(visit.isolation());
  }

  private static int logprobs(Fields body) {
    int alternatives = body.whole("top_logprobs", 0, MOST_LOGPROBS).orElse(0);
    return body.flag("logprobs").orElse(false) ? alternatives : Request.NO_LOGPROBS;
  }

  private static Sampling sampling(Fields options) {
    long seed =
        options
            .large("seed", Long.MIN_VALUE, Long.MAX_VALUE)
            .orElseGet(() -> RandomGenerator.getDefault().nextLong());
    var usual = Sampling.seeded(seed);
    var penalties =
        Penalties.NONE
            .withRepeat(
                options.number("repeat_penalty", 0.01, 10).orElse(1),
                options.whole("repeat_last_n", -1, Integer.MAX_VALUE).orElse(64))
            .withPresence(options.number("presence_penalty", -2, 2).orElse(0))
            .withFrequency(options.number("frequency_penalty", -2, 2).orElse(0));
    return usual
        .withTemperature(options.number("temperature", 0, 2).orElse(usual.temperature()))
        .withTopP(options.number("top_p", 0, 1).orElse(usual.topP()))
        .withTopK(options.whole("top_k", 0, Integer.MAX_VALUE).orElse(usual.topK()))
        .withMinP(options.number("min_p", 0, 1).orElse(usual.minP()))
        .withTypical(options.number("typical_p", 0, 1).orElse(1))
        .withPenalties(penalties);
  }

  /** No limit is written as a negative number, or as none. */
  private static Stops stops(Fields options) {
    int most = options.whole("num_predict", -2, Integer.MAX_VALUE).orElse(-1);
    var texts = options.texts("stop", MOST_STOPS);
    for (var text : texts) {
      if (text.isEmpty() || text.length() > LONGEST_STOP) {
        throw Fields.bad(
            options.path("stop"),
            "a string of " + text.length() + " characters",
            "strings of 1 to " + LONGEST_STOP + " characters");
      }
    }
    var stops = Stops.NONE.withStrings(texts);
    return most > 0 ? stops.withMaxTokens(most) : stops;
  }

  private static Form form(Fields body) {
    var format = body.field("format");
    if (format.isEmpty()) return new Form.Free();
    if (format.get().isObject()) return new Form.Schema(format.get());
    return switch (body.word("format", List.of("json", "")).orElse("")) {
      case "json" -> new Form.AnyObject();
      default -> new Form.Free();
    };
  }

  /** Whether thoughts are wanted: true, false, or how much of them. */
  static ChatOptions thinking(Fields body, ChatOptions options) {
    var think = body.field("think");
    if (think.isEmpty()) return options;
    if (think.get().isBoolean()) return options.withThinking(think.get().booleanValue());
    var effort = body.word("think", List.of("low", "medium", "high", "max")).orElseThrow();
    return options.withThinking(true).withVariable("reasoning_effort", effort);
  }

  static boolean isThoughtShown(Fields body) {
    return body.field("think")
        .map(think -> !think.isBoolean() || think.booleanValue())
        .orElse(true);
  }

  /** Whether a model is not to stay. */
  static boolean isLeaving(Fields body) {
    checkKeepAlive(body);
    var given = body.field("keep_alive");
    return given
        .map(
            value ->
                value.isNumber()
                    ? value.doubleValue() == 0
                    : value.stringValue().matches("(0+(\\.0*)?(ns|us|µs|ms|s|m|h)?)+"))
        .orElse(false);
  }

  /** How long a model stays is the shelf's to say; a wrong word is wrong all the same. */
  private static void checkKeepAlive(Fields body) {
    var given = body.field("keep_alive");
    if (given.isEmpty() || given.get().isNumber()) return;
    JsonNode value = given.get();
    if (!value.isString() || !value.stringValue().matches("-?([0-9.]+(ns|us|µs|ms|s|m|h)?)+")) {
      throw body.wrong("keep_alive", value, "a number of seconds, or a time such as 5m");
    }
  }
}
