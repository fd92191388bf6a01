package weft.format;

import java.util.LinkedHashMap;
import java.util.List;

/** The keys of a given configuration over those of a GGUF file. */
final class ConfigKeys {
  private ConfigKeys() {}

  static Metadata over(Metadata own, Config config, MappedFile file) {
    if (config instanceof Config.Embedded) return own;
    var given = new LinkedHashMap<String, MetadataValue>();
    config.addTo(given, file.path());
    var architecture =
        new Metadata("the given configuration", given)
            .string("general.architecture")
            .or(() -> own.string("general.architecture"))
            .orElse("");
    var prefixes = List.of(architecture + ".", "general.", "tokenizer.");
    // A key that nobody reads would be a setting that nobody keeps.
    for (var key : given.keySet()) {
      if (prefixes.stream().noneMatch(key::startsWith)) {
        throw file.broken(
            "the given configuration has the key %s, but those of a GGUF file begin with one of %s"
                .formatted(Quoted.text(key), prefixes));
      }
    }
    var all = new LinkedHashMap<>(own.entries());
    all.putAll(given);
    return new Metadata(own.source(), all);
  }
}
