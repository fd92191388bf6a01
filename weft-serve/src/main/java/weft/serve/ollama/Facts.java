package weft.serve.ollama;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;
import weft.format.MetadataValue;
import weft.load.LanguageModel;
import weft.serve.web.Json;

/** What a model's file says of it, in Ollama's words. */
final class Facts {
  private final LanguageModel model;

  Facts(LanguageModel model) {
    this.model = model;
  }

  /** By what its file calls the kind of model it is. */
  String architecture() {
    var metadata = model.checkpoint().metadata();
    return metadata
        .string("general.architecture")
        .or(() -> metadata.string("model_type"))
        .orElseGet(() -> model.family().name());
  }

  /** The kind of file it is. */
  String format() {
    return model.checkpoint().format().name().toLowerCase(Locale.ROOT);
  }

  /** How many numbers its tensors hold. */
  long parameters() {
    return model.checkpoint().tensors().values().stream()
        .mapToLong(tensor -> tensor.values())
        .sum();
  }

  /** The same as people write it. */
  String parameterSize() {
    long count = parameters();
    if (count >= 1_000_000_000) return String.format(Locale.ROOT, "%.1fB", count / 1e9);
    return String.format(Locale.ROOT, "%.1fM", count / 1e6);
  }

  /** How most of those numbers are stored. */
  String quantization() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (var tensor : model.checkpoint().tensors().values()) {
      counts.merge(tensor.type().toString(), tensor.values(), Long::sum);
    }
    return counts.entrySet().stream()
        .max(Comparator.comparingLong(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** The metadata of its file, long lists left empty as the vendor leaves them. */
  ObjectNode info() {
    var info = Json.object();
    model.checkpoint().metadata().entries().forEach((key, value) -> put(info, key, value));
    info.put("general.architecture", architecture());
    info.put("general.parameter_count", parameters());
    info.put(architecture() + ".context_length", model.contextLength());
    info.put(architecture() + ".vocab_size", model.model().vocabularySize());
    info.remove("tokenizer.chat_template"); // which has a place of its own
    return info;
  }

  private static void put(ObjectNode info, String key, MetadataValue value) {
    switch (value) {
      case MetadataValue.Whole(_, long number) -> info.put(key, number);
      case MetadataValue.Real(_, double number) -> info.put(key, number);
      case MetadataValue.Flag(boolean flag) -> info.put(key, flag);
      case MetadataValue.Text(String text) -> info.put(key, text);
      case MetadataValue.Numbers _, MetadataValue.Texts _, MetadataValue.Nested _ ->
          info.putArray(key);
    }
  }
}
