package weft.format;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The small checkpoints under {@code resources/golden}. */
final class Goldens {
  static final Path GGUF_F32 = path("gguf/llama32-tied-llama3rope-f32.gguf");
  static final Path GGUF_Q8_0 = path("gguf/llama32-tied-llama3rope-q8_0.gguf");
  static final Path FOLDER = path("hf/llama32-tied-llama3rope");

  private Goldens() {}

  static Path path(String name) {
    try {
      return Path.of(Goldens.class.getResource("/golden/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
