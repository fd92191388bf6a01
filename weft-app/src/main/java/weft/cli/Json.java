package weft.cli;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents for {@code --json}: fields come out in the order they were put. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  static ArrayNode array(int[] values) {
    var array = array();
    for (int value : values) array.add(value);
    return array;
  }

  static ArrayNode array(float[] values) {
    var array = array();
    for (float value : values) array.add(value);
    return array;
  }

  /** Milliseconds with three digits behind the point, which is as exact as the clock is. */
  static double milliseconds(java.time.Duration time) {
    return Math.round(time.toNanos() / 1e3) / 1e3;
  }

  /** Reads one document; anything behind it is an error. */
  static JsonNode parse(String text) {
    return MAPPER.readTree(text);
  }

  /** Prints one document and the end of its line. */
  static void print(Console console, JsonNode document) {
    console.out().println(MAPPER.writeValueAsString(document));
    console.out().flush();
  }
}
