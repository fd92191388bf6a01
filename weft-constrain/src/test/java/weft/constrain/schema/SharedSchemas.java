package weft.constrain.schema;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.constrain.Constraint;
import weft.constrain.Grammar;
import weft.constrain.Vocabulary;

/** Schemas with instances that lie beside the project, and how an instance is put to a grammar. */
final class SharedSchemas {
  static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final Vocabulary BYTES = bytes();

  private SharedSchemas() {}

  /** The folder of schemas, or the test is skipped. */
  static Path folder() {
    var here = Path.of("").toAbsolutePath();
    for (var at = here; at != null; at = at.getParent()) {
      var folder = at.resolveSibling("shared").resolve("schema");
      if (Files.isDirectory(folder)) return folder;
    }
    assumeTrue(
        false,
        "SKIPPED: no folder ../shared/schema beside the project, so real schemas are not tested");
    throw new IllegalStateException("not reached");
  }

  /** Which values, as Python writes them, are of a grammar. */
  static Predicate<JsonNode> reader(Grammar grammar) {
    var constraint = Constraint.of(grammar, BYTES);
    return value -> {
      var matcher = constraint.matcher();
      return matcher.accept(PythonJson.write(value).getBytes(StandardCharsets.UTF_8))
          && matcher.isComplete();
    };
  }

  private static Vocabulary bytes() {
    var texts = new ArrayList<byte[]>();
    for (int i = 0; i < 256; i++) texts.add(new byte[] {(byte) i});
    texts.add(new byte[0]);
    return Vocabulary.of(texts, Set.of(256));
  }
}
