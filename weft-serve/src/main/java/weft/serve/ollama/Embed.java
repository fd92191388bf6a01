package weft.serve.ollama;

import java.util.ArrayList;
import tools.jackson.databind.node.ArrayNode;
import weft.load.LanguageModel;
import weft.serve.ask.Answering;
import weft.serve.ask.Embedding;
import weft.serve.ask.Prompt;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /api/embed}, and {@code /api/embeddings} as it was before. */
final class Embed {
  /** Texts of a request. */
  static final int MOST_TEXTS = 2048;

  private final Answering answering;

  Embed(Answering answering) {
    this.answering = answering;
  }

  void several(Visit visit) {
    long start = System.nanoTime();
    var body = visit.fields();
    body.required("input", "a string, or a list of strings");
    boolean isCut = body.flag("truncate").orElse(true);
    var texts = body.texts("input", MOST_TEXTS);
    var length = body.whole("dimensions", 1, Integer.MAX_VALUE);
    var document = Json.object();
    try (var lease = answering.lend(Manner.model(body, answering.shelf().names()))) {
      long loaded = System.nanoTime();
      document.put("model", lease.name());
      var made = new ArrayList<Embedding>();
      for (var text : texts) made.add(embedding(lease.model(), text, isCut, visit));
      var embeddings = document.putArray("embeddings");
      for (var each : made) {
        boolean isShort = length.isPresent() && length.getAsInt() < each.values().length;
        embeddings.add(list((isShort ? each.shortened(length.getAsInt()) : each).values()));
      }
      int tokens = made.stream().mapToInt(Embedding::tokens).sum();
      answering.count(tokens);
      document.put("total_duration", System.nanoTime() - start);
      document.put("load_duration", loaded - start);
      document.put("prompt_eval_count", tokens);
    }
    visit.send(200, document);
  }

  void one(Visit visit) {
    var body = visit.fields();
    var text = body.required("prompt", "a string");
    if (!text.isString()) throw body.wrong("prompt", text, "a string");
    try (var lease = answering.lend(Manner.model(body, answering.shelf().names()))) {
      var made = Embedding.of(lease.model(), prompt(text.stringValue()), visit);
      answering.count(made.tokens());
      var document = Json.object();
      document.set("embedding", list(made.values()));
      visit.send(200, document);
    }
  }

  /** As the vendor has it, a text that is too long is cut unless a client would not have it. */
  private static Embedding embedding(LanguageModel model, String text, boolean isCut, Visit visit) {
    var prompt = prompt(text);
    return isCut ? Embedding.ofBeginning(model, prompt, visit) : Embedding.of(model, prompt, visit);
  }

  private static Prompt prompt(String text) {
    if (text.isEmpty()) throw Fields.bad("input", "an empty string", "texts that are not empty");
    return new Prompt.Text(text);
  }

  private static ArrayNode list(float[] values) {
    var list = Json.array();
    for (float value : values) list.add(value);
    return list;
  }
}
