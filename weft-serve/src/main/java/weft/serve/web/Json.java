package weft.serve.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/** JSON as it comes and goes: read within bounds, written as it is put together. */
public final class Json {
  /** Deeper than any schema that somebody wrote. */
  static final int DEEPEST = 128;

  /** Digits of a number; what needs more is no number that anybody counts with. */
  static final int LONGEST_NUMBER = 400;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNumberLength(LONGEST_NUMBER)
                          .maxStringLength(Integer.MAX_VALUE) // the body has a limit of its own
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  public static JsonNode text(String value) {
    return JsonNodeFactory.instance.stringNode(value);
  }

  /** Reads one document; what is none is a problem of who sent it. */
  public static JsonNode read(byte[] document) {
    try {
      return MAPPER.readTree(document);
    } catch (JacksonException e) {
      var at = e.getLocation();
      throw new ProblemException(
          new Problem.BadBody(
              at == null
                  ? "is no JSON"
                  : "is no JSON at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr())),
          e);
    }
  }

  /** As {@link #read(byte[])}, for a text within a document. */
  public static JsonNode read(String name, String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new ProblemException(new Problem.BadField(name, "other text", "JSON as text"), e);
    }
  }

  /** An object by its text, or another where the text is none. */
  public static ObjectNode objectOr(String text, ObjectNode other) {
    try {
      return MAPPER.readTree(text) instanceof ObjectNode object ? object : other;
    } catch (JacksonException e) {
      return other;
    }
  }

  /** An object as maps, lists, texts, numbers and booleans, in its order. */
  public static Map<String, @Nullable Object> map(JsonNode object) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (var field : object.properties()) {
      map.put(field.getKey(), MAPPER.treeToValue(field.getValue(), Object.class));
    }
    return map;
  }

  public static byte[] bytes(JsonNode document) {
    return MAPPER.writeValueAsBytes(document);
  }

  public static String text(JsonNode document) {
    return MAPPER.writeValueAsString(document);
  }
}
