package weft.serve.openai;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import weft.generate.Penalties;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.serve.web.Fields;

/** How tokens are chosen and when an answer ends, as OpenAI's fields say it. */
final class Manner {
  /** Answers to one prompt. */
  static final int MOST_ANSWERS = 128;

  /** Texts that end an answer; the vendor takes four. */
  static final int MOST_STOPS = 16;

  /** Of such a text. */
  static final int LONGEST_STOP = 1024;

  /** Tokens with a bias of their own. */
  static final int MOST_BIASES = 1024;

  private Manner() {}

  /** What is not said is as the command line has it. */
  static Sampling sampling(Fields body) {
    return sampling(body, bias(body));
  }

  /** The same where {@code bias} is said in another way. */
  static Sampling sampling(Fields body, Map<Integer, Double> bias) {
    long seed =
        body.large("seed", Long.MIN_VALUE, Long.MAX_VALUE)
            .orElseGet(() -> RandomGenerator.getDefault().nextLong());
    var usual = Sampling.seeded(seed);
    return usual
        .withTemperature(body.number("temperature", 0, 2).orElse(usual.temperature()))
        .withTopP(body.number("top_p", 0, 1).orElse(usual.topP()))
        .withTopK(body.whole("top_k", 0, Integer.MAX_VALUE).orElse(usual.topK()))
        .withMinP(body.number("min_p", 0, 1).orElse(usual.minP()))
        .withTypical(body.number("typical_p", 0, 1).orElse(1))
        .withPenalties(penalties(body).withBias(bias));
  }

  private static Penalties penalties(Fields body) {
    double repeat =
        body.number("repeat_penalty", 0.01, 10)
            .orElse(body.number("repetition_penalty", 0.01, 10).orElse(1));
    int lastN = body.whole("repeat_last_n", -1, Integer.MAX_VALUE).orElse(64);
    return Penalties.NONE
        .withRepeat(repeat, lastN)
        .withPresence(body.number("presence_penalty", -2, 2).orElse(0))
        .withFrequency(body.number("frequency_penalty", -2, 2).orElse(0));
  }

  static Map<Integer, Double> bias(Fields body) {
    var given = body.object("logit_bias");
    if (given.isEmpty()) return Map.of();
    var fields = given.get();
    int count = fields.node().size();
    if (count > MOST_BIASES) {
      throw Fields.bad("logit_bias", count + " tokens", "at most " + MOST_BIASES);
    }
    var bias = new HashMap<Integer, Double>();
    for (var name : fields.node().propertyNames()) {
      if (!name.matches("[0-9]{1,9}")) {
        throw Fields.bad("logit_bias", Fields.quoted(name), "token ids as names");
      }
      fields
          .number(name, -100, 100)
          .ifPresent(
              // As the vendor has it, -100 forbids.
              added ->
                  bias.put(
                      Integer.parseInt(name), added == -100 ? Double.NEGATIVE_INFINITY : added));
    }
    return bias;
  }

  /** The most tokens and the texts that end an answer; {@code names} are those of the limit. */
  static Stops stops(Fields body, List<String> names) {
    var stops = Stops.NONE;
    var limits =
        names.stream().filter(name -> body.whole(name, 1, Integer.MAX_VALUE).isPresent()).toList();
    var numbers = limits.stream().map(name -> body.whole(name, 1, Integer.MAX_VALUE).orElseThrow());
    if (numbers.distinct().count() > 1) {
      throw Fields.bad(
          limits.getLast(), "another number", "absent where '" + limits.getFirst() + "' is given");
    }
    if (!limits.isEmpty()) {
      stops =
          stops.withMaxTokens(body.whole(limits.getFirst(), 1, Integer.MAX_VALUE).orElseThrow());
    }
    var texts = body.texts("stop", MOST_STOPS);
    for (var text : texts) {
      if (text.isEmpty() || text.length() > LONGEST_STOP) {
        throw Fields.bad(
            "stop",
            "a string of " + text.length() + " characters",
            "strings of 1 to " + LONGEST_STOP + " characters");
      }
    }
    return stops.withStrings(texts);
  }
}
