package weft.constrain.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;
import weft.constrain.ConstrainException;

/** The official tests of JSON Schema: nothing is wrongly accepted, and most is right. */
final class TestSuiteTest {
  /** What is only an annotation to the tests is kept here. */
  private static final Set<String> OTHERWISE = Set.of("format.json");

  @ParameterizedTest
  @CsvSource({"draft7, http://json-schema.org/draft-07/schema#, 0.83", "draft2020-12, '', 0.8"})
  void nothingIsWronglyAccepted(String draft, String edition, double share) throws IOException {
    var wronglyAccepted = new ArrayList<String>();
    int right = 0;
    int all = 0;
    for (var file : files(SharedSchemas.folder().resolve("test-suite").resolve(draft))) {
      if (OTHERWISE.contains(file.getFileName().toString())) continue;
      for (var group : SharedSchemas.MAPPER.readTree(file.toFile())) {
        var schema = group.get("schema");
        if (!edition.isEmpty() && schema instanceof ObjectNode object && !object.has("$schema")) {
          object.put("$schema", edition);
        }
        all += group.get("tests").size();
        try {
          var reader = SharedSchemas.reader(JsonSchema.compile(schema));
          for (var test : group.get("tests")) {
            boolean valid = test.get("valid").booleanValue();
            boolean accepted = reader.test(test.get("data"));
            if (accepted == valid) right++;
            else if (accepted) wronglyAccepted.add(file.getFileName() + ": " + test);
          }
        } catch (ConstrainException _) {
          // Refused by name, which is honest.
        }
      }
    }
    assertThat(wronglyAccepted).isEmpty();
    assertThat((double) right / all)
        .as("share of %d tests that came out right", all)
        .isGreaterThan(share);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }
}
