package weft.serve.openai;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Client;
import weft.serve.ask.Embedding;
import weft.serve.ask.Prompt;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /v1/embeddings}. */
final class Embeddings {
  /** Texts of a request; the vendor's own number. */
  static final int MOST_TEXTS = 2048;

  private final Answering answering;

  Embeddings(Answering answering) {
    this.answering = answering;
  }

  void answer(Visit visit) {
    visit.send(200, whole(visit.fields(), visit));
  }

  /** The vectors in one document. */
  ObjectNode whole(Fields body, Client client) {
    var inputs = inputs(body);
    body.text("user");
    boolean isPacked =
        body.word("encoding_format", List.of("float", "base64"))
            .map("base64"::equals)
            .orElse(false);
    var length = body.whole("dimensions", 1, Integer.MAX_VALUE);
    var document = Json.object().put("object", "list");
    var data = document.putArray("data");
    int tokens = 0;
    try (var lease = answering.lend(body.text("model").orElse(Ask.FIRST_MODEL))) {
      for (var input : inputs) {
        var made = Embedding.of(lease.model(), input, client);
        tokens += made.tokens();
        if (length.isPresent()) {
          if (length.getAsInt() > made.values().length) {
            throw body.wrong(
                "dimensions",
                body.field("dimensions").orElseThrow(),
                "at most " + made.values().length + " for this model");
          }
          made = made.shortened(length.getAsInt());
        }
        var entry = data.addObject().put("object", "embedding").put("index", data.size() - 1);
        entry.set("embedding", isPacked ? packed(made.values()) : list(made.values()));
      }
      document.put("model", lease.name());
    }
    document.putObject("usage").put("prompt_tokens", tokens).put("total_tokens", tokens);
    answering.count(tokens);
    return document;
  }

  private static List<Prompt> inputs(Fields body) {
    var allowed = "a string, a list of strings, a list of tokens or a list of such lists";
    var given = body.required("input", allowed);
    if (given.isString()) return List.of(text("input", given));
    if (!given.isArray() || given.isEmpty()) throw body.wrong("input", given, allowed);
    if (given.get(0).isNumber()) return List.of(ids("input", given));
    if (given.size() > MOST_TEXTS) {
      throw Fields.bad("input", "a list of " + given.size(), "a list of at most " + MOST_TEXTS);
    }
    var inputs = new ArrayList<Prompt>();
    for (int i = 0; i < given.size(); i++) {
      var path = "input[" + i + "]";
      var each = given.get(i);
      inputs.add(each.isArray() ? ids(path, each) : text(path, each));
    }
    return inputs;
  }

  private static Prompt text(String path, JsonNode text) {
    if (!text.isString() || text.stringValue().isEmpty()) {
      throw Fields.bad(path, Fields.met(text), "a string that is not empty");
    }
    return new Prompt.Text(text.stringValue());
  }

  private static Prompt ids(String path, JsonNode list) {
    if (list.isEmpty()) throw Fields.bad(path, "an empty list", "a list of tokens");
    return new Prompt.Ids(Fields.wholes(path, list, 0, Completions.MOST_TOKENS));
  }

  private static JsonNode list(float[] values) {
    var list = Json.array();
    for (float value : values) list.add(value);
    return list;
  }

  private static JsonNode packed(float[] values) {
    var bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) bytes.putFloat(value);
    return Json.text(Base64.getEncoder().encodeToString(bytes.array()));
  }
}
