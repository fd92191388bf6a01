package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonMetadataTest {
  @TempDir Path folder;

  private Metadata read(String json) throws IOException {
    var path = Files.writeString(folder.resolve("config.json"), json);
    var values = new LinkedHashMap<String, MetadataValue>();
    JsonMetadata.add(path, "", values);
    return new Metadata("config.json", values);
  }

  @Test
  void flattensObjectsWithDots() throws IOException {
    var metadata =
        read(
            """
            {"a": 1, "text_config": {"hidden_size": 64, "rope": {"theta": 1e4}}, "nothing": null,
             "on": true, "name": "x", "huge": 36893488147419103232, "limit": [0.0, Infinity]}
            """);

    assertThat(metadata.integer("a")).hasValue(1);
    assertThat(metadata.integer("text_config.hidden_size")).hasValue(64);
    assertThat(metadata.real("text_config.rope.theta")).hasValue(10_000);
    assertThat(metadata.has("nothing")).isFalse();
    assertThat(metadata.bool("on")).contains(true);
    assertThat(metadata.string("name")).contains("x");
    assertThat(metadata.real("huge")).hasValue(0x1p65);
    assertThat(metadata.reals("limit").orElseThrow()).containsExactly(0f, Float.POSITIVE_INFINITY);
  }

  @Test
  void keepsArraysOfOneTypeAndSpreadsOthersByIndex() throws IOException {
    var metadata =
        read(
            """
            {"ints": [1, 2], "reals": [1, 2.5], "flags": [true, false], "texts": ["a", "b"], "none": [],
             "pairs": [[1], [2, 3]], "mixed": [1, null, "x", {"y": 2}]}
            """);

    assertThat(metadata.integers("ints").orElseThrow()).containsExactly(1, 2);
    assertThat(metadata.reals("reals").orElseThrow()).containsExactly(1f, 2.5f);
    assertThat(metadata.bools("flags").orElseThrow()).containsExactly(true, false);
    assertThat(metadata.strings("texts")).contains(List.of("a", "b"));
    assertThat(metadata.strings("none")).contains(List.of());
    assertThat(metadata.integers("none").orElseThrow()).isEmpty();
    assertThat(metadata.value("pairs").orElseThrow().typeName()).isEqualTo("ARRAY[2]");
    assertThat(metadata.has("mixed")).isFalse();
    assertThat(metadata.integer("mixed.0")).hasValue(1);
    assertThat(metadata.has("mixed.1")).isFalse();
    assertThat(metadata.string("mixed.2")).contains("x");
    assertThat(metadata.integer("mixed.3.y")).hasValue(2);
  }

  @Test
  void refusesWhatIsNoConfiguration() {
    assertRefused("[1]", "the document is an array, expected an object");
    assertRefused("", "the document is missing, expected an object");
    assertRefused("{\"a\": 1", "not the JSON that weft reads");
    assertRefused("{\"a\": 1, \"a\": 2}", "Duplicate");
    assertRefused("{\"a.b\": 1, \"a\": {\"b\": 2}}", "'a.b' is there twice");
    assertRefused("{\"a\": " + "9".repeat(101) + "}", "Number value length");
    assertRefused("{\"a\": " + "[".repeat(40) + "]".repeat(40) + "}", "nesting depth");
  }

  @Test
  void refusesKeysThatWouldMultiplyMemory() {
    var prefix = "p".repeat(900);

    assertRefused(
        "{\"" + prefix + "\": {\"" + prefix + "\": {\"x\": 1}}}",
        "has 1801 characters with the keys above it, expected at most 1024");
  }

  private void assertRefused(String json, String message) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> read(json))
        .withMessageStartingWith(folder.toString())
        .withMessageContaining(message);
  }
}
