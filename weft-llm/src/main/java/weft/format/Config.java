package weft.format;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Where the configuration of a checkpoint is read. For a folder or a safetensors file, what is
 * given stands in the place of {@code config.json}; for a GGUF file, its keys go over the file's
 * own. A value, safe for all threads.
 */
public sealed interface Config {
  /** With the weights: {@code config.json} of a folder, the keys of a GGUF file. */
  record Embedded() implements Config {}

  /** A JSON file. */
  record File(Path path) implements Config {
    public File {
      Objects.requireNonNull(path, "path");
    }
  }

  /** A JSON object, as text. */
  record Given(String json) implements Config {
    public Given {
      Objects.requireNonNull(json, "json");
    }
  }

  /** Adds what is given to {@code target}; {@code embedded} is the checkpoint's own file. */
  default void addTo(Map<String, MetadataValue> target, Path embedded) {
    switch (this) {
      case Embedded() -> JsonMetadata.add(embedded, "", target);
      case File(var path) -> JsonMetadata.add(path, "", target);
      case Given(var json) ->
          JsonMetadata.addText(Path.of("the given configuration"), json, target);
    }
  }
}
