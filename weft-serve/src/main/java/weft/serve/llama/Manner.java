package weft.serve.llama;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import weft.generate.Request;
import weft.generate.Stops;
import weft.serve.ask.Ask;
import weft.serve.openai.TextRequest;
import weft.serve.web.Fields;

/** How a text goes on, as llama.cpp's fields say it where OpenAI's do not. */
final class Manner {
  /** Alternatives that a token names. */
  static final int MOST_ALTERNATIVES = 20;

  private static final String BIAS = "logit_bias";

  private Manner() {}

  /** What a client asks for, one for each prompt. */
  static List<Ask> asks(Fields body) {
    var stops = stops(body);
    // None is written as 0 here.
    int alternatives = body.whole("n_probs", 0, MOST_ALTERNATIVES).orElse(0);
    return TextRequest.asks(body, bias(body)).stream()
        .map(
            ask ->
                ask.withStops(stops)
                    .withLogprobs(alternatives == 0 ? Request.NO_LOGPROBS : alternatives))
        .toList();
  }

  /** No limit is written as a negative number. */
  private static Stops stops(Fields body) {
    var name = body.has("n_predict") ? "n_predict" : "max_tokens";
    int most = body.whole(name, -1, Integer.MAX_VALUE).orElse(-1);
    if (most == 0) throw Fields.bad(name, "0", "at least 1, or -1 for no limit");
    var stops = TextRequest.stops(body);
    return most > 0 ? stops.withMaxTokens(most) : stops;
  }

  /** Pairs of a token and its bias, of which false forbids; or an object, as OpenAI has it. */
  private static Map<Integer, Double> bias(Fields body) {
    var given = body.field(BIAS);
    if (given.isEmpty() || !given.get().isArray()) return TextRequest.bias(body);
    var pairs = body.list(BIAS, TextRequest.MOST_BIASES);
    var bias = new HashMap<Integer, Double>();
    for (int i = 0; i < pairs.size(); i++) {
      var pair = pairs.get(i);
      var path = BIAS + "[" + i + "]";
      if (!pair.isArray() || pair.size() != 2) {
        throw Fields.bad(path, Fields.met(pair), "a list of a token and its bias");
      }
      int token = Fields.whole(path, pair.get(0), 0, Integer.MAX_VALUE);
      bias.put(token, added(path, pair.get(1)));
    }
    return bias;
  }

  private static double added(String path, JsonNode value) {
    if (value.isBoolean() && !value.booleanValue()) return Double.NEGATIVE_INFINITY;
    if (!value.isNumber()) throw Fields.bad(path, Fields.met(value), "a number, or false");
    return value.doubleValue();
  }
}
