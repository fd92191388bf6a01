package weft.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tokenizers and templates of our own making, shaped as those of models, with what they give: for
 * clones that have no shared folder beside them. {@code make.py} there made them and says how.
 */
public final class OwnText {
  private static final Path FOLDER = Path.of("src/test/resources/weft/text/own");

  private OwnText() {}

  public static String text(String name) {
    try {
      return Files.readString(FOLDER.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] bytes(String name) {
    return text(name).getBytes(StandardCharsets.UTF_8);
  }

  public static List<JsonNode> rows(String name) {
    var json = JsonMapper.builder().build();
    return text(name).lines().map(json::readTree).toList();
  }
}
