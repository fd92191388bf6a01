package weft.serve.ollama;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;
import weft.load.LanguageModel;
import weft.load.Version;
import weft.serve.ask.Answering;
import weft.serve.models.Shelf;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /api/tags}, {@code /api/ps}, {@code /api/show} and {@code /api/version}. */
final class Listing {
  /** A model that is loaded stays until its room is wanted; clients want a time. */
  private static final Duration STAY = Duration.ofHours(1);

  private final Answering answering;

  Listing(Answering answering) {
    this.answering = answering;
  }

  void tags(Visit visit) {
    var document = Json.object();
    var models = document.putArray("models");
    for (var status : answering.shelf().states()) {
      models.add(model(status).put("modified_at", status.since().toString()));
    }
    visit.send(200, document);
  }

  void running(Visit visit) {
    var document = Json.object();
    var models = document.putArray("models");
    for (var status : answering.shelf().states()) {
      if (status.state() != Shelf.State.LOADED) continue;
      models.add(
          model(status)
              .put("expires_at", Instant.now().plus(STAY).toString())
              .put("size_vram", 0)
              .put("context_length", status.contextLength()));
    }
    visit.send(200, document);
  }

  private ObjectNode model(Shelf.Status status) {
    var model = Json.object();
    model.put("name", status.name());
    model.put("model", status.name());
    model.put("size", status.bytes());
    model.put("digest", digest(status.name()));
    model.set(
        "details", details(Optional.ofNullable(answering.shelf().loaded().get(status.name()))));
    return model;
  }

  /** Files are large, and their names tell them apart here. */
  private static String digest(String name) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(name.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** What is known only of a model that is loaded is empty otherwise. */
  private static ObjectNode details(Optional<LanguageModel> loaded) {
    var facts = loaded.map(Facts::new);
    var family = facts.map(Facts::architecture).orElse("");
    var details = Json.object();
    details.put("parent_model", "");
    details.put("format", facts.map(Facts::format).orElse("gguf"));
    details.put("family", family);
    var families = details.putArray("families");
    if (!family.isEmpty()) families.add(family);
    details.put("parameter_size", facts.map(Facts::parameterSize).orElse(""));
    details.put("quantization_level", facts.map(Facts::quantization).orElse(""));
    return details;
  }

  void show(Visit visit) {
    var body = visit.fields();
    body.flag("verbose");
    try (var lease = answering.lend(Manner.model(body, answering.shelf().names()))) {
      var model = lease.model();
      var template = model.text().templateSource().orElse("");
      var document = Json.object();
      document.put("modelfile", "FROM " + lease.name());
      document.put("parameters", "");
      document.put("template", template);
      document.set("details", details(Optional.of(model)));
      document.set("model_info", new Facts(model).info());
      var capabilities = document.putArray("capabilities");
      capabilities.add("completion").add("tools").add("embedding");
      if (model.sight().isPresent()) capabilities.add("vision");
      if (template.contains("<think>")) capabilities.add("thinking");
      document.put("modified_at", Instant.now().toString());
      visit.send(200, document);
    }
  }

  void version(Visit visit) {
    visit.send(200, Json.object().put("version", Version.TEXT));
  }
}
