package weft.constrain.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import weft.constrain.ConstrainException;

/**
 * Real schemas with instances that must be accepted or refused; a part of them, the same each time.
 */
final class MaskBenchTest {
  private static final int EVERY = 6;
  private static final double SHARE = 0.94;

  @Test
  void realSchemasAreKeptAndNoInstanceIsWronglyAccepted() throws IOException, InterruptedException {
    var wronglyAccepted = new ArrayList<String>();
    var failed = new ArrayList<String>();
    int schemas = 0;
    int line = 0;
    var lines = lines(SharedSchemas.folder().resolve("maskbench.jsonl.xz"));
    for (var text : lines) {
      if (line++ % EVERY != 0) continue;
      schemas++;
      var entry = SharedSchemas.MAPPER.readTree(text);
      var name = entry.get("name").stringValue();
      boolean right = true;
      try {
        var reader = SharedSchemas.reader(JsonSchema.compile(entry.get("schema")));
        for (var test : entry.get("tests")) {
          boolean valid = test.get("valid").booleanValue();
          boolean accepted = reader.test(test.get("data"));
          if (accepted && !valid) wronglyAccepted.add(name + ": " + test.get("data"));
          right &= accepted == valid;
        }
      } catch (ConstrainException e) {
        right = false;
      }
      if (!right) failed.add(name);
    }
    assertThat(wronglyAccepted).isEmpty();
    assertThat(failed)
        .as("schemas of %d of which an instance came out wrong, or which were refused", schemas)
        .hasSizeLessThan((int) (schemas * (1 - SHARE)));
  }

  private static List<String> lines(Path file) throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder("xz", "-dc", file.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      process = Assumptions.abort("SKIPPED: no program xz to unpack " + file.getFileName());
    }
    List<String> lines;
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      lines = reader.lines().toList();
    }
    assertThat(process.waitFor()).isZero();
    return lines;
  }
}
