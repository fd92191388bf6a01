package weft.bench.masks;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A schema and the texts that it must allow or refuse. */
record Case(String name, JsonNode schema, List<Instance> instances) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  record Instance(boolean isValid, String text) {}

  /** A line {@code {"name":…,"schema":…,"tests":[{"valid":…,"data":…}]}}. */
  static Case read(String line) {
    var tree = MAPPER.readTree(line);
    var instances = new ArrayList<Instance>();
    // Numbers must be as they were written, which a tree does not keep.
    try (var parser = MAPPER.createParser(line)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean isTests = parser.getString().equals("tests");
        parser.nextToken();
        if (isTests) {
          while (parser.nextToken() != JsonToken.END_ARRAY) instances.add(instance(parser));
        } else {
          parser.skipChildren();
        }
      }
    }
    return new Case(tree.get("name").stringValue(), tree.get("schema"), instances);
  }

  private static Instance instance(JsonParser parser) {
    boolean isValid = false;
    var text = "";
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.getString();
      parser.nextToken();
      switch (name) {
        case "valid" -> isValid = parser.getBooleanValue();
        case "data" -> text = PythonJson.write(parser);
        default -> parser.skipChildren();
      }
    }
    return new Instance(isValid, text);
  }
}
