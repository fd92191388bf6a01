package weft.text.tokenizer;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** The real tokenizers and their expected results, which lie beside the project and not in it. */
final class SharedText {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private SharedText() {}

  static Path tokenizers() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null) {
      Path found = folder.resolveSibling("shared").resolve("text/tokenizers");
      if (Files.isDirectory(found)) {
        return found;
      }
      folder = folder.getParent();
    }
    return abort(
        "SKIPPED: no folder ../shared/text/tokenizers beside the project, so the real tokenizers are not tested");
  }

  static Tokenizer fromJson(String name) {
    Path folder = tokenizers().resolve(name);
    JsonNode config =
        exists(folder, "tokenizer_config.json")
            ? JsonDocument.tree(bytes(folder, "tokenizer_config.json"), "tokenizer_config.json")
            : JsonNodeFactory.instance.objectNode();
    return TokenizerJson.read(bytes(folder, "tokenizer.json"), config);
  }

  static Tokenizer fromGguf(String path) {
    return Tokenizer.of(GgufMetadata.vocabulary(bytes(tokenizers(), path)));
  }

  static boolean has(String path) {
    return Files.exists(tokenizers().resolve(path));
  }

  static List<JsonNode> rows(String path) {
    return new String(bytes(tokenizers(), path), StandardCharsets.UTF_8)
        .lines()
        .map(JSON::readTree)
        .toList();
  }

  static String text(String path) {
    return new String(bytes(tokenizers(), path), StandardCharsets.UTF_8);
  }

  private static boolean exists(Path folder, String name) {
    return Files.exists(folder.resolve(name)) || Files.exists(folder.resolve(name + ".gz"));
  }

  /** A file's bytes; a file that is only there with .gz is unzipped. */
  static byte[] bytes(Path folder, String name) {
    Path plain = folder.resolve(name);
    try (InputStream in =
        Files.exists(plain)
            ? Files.newInputStream(plain)
            : new GZIPInputStream(
                new BufferedInputStream(Files.newInputStream(folder.resolve(name + ".gz"))),
                1 << 16)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
