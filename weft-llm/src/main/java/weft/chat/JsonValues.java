package weft.chat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Maps, lists, texts, numbers and booleans, as JSON has them: copied, read and written. */
final class JsonValues {
  private static final JsonMapper MAPPER = new JsonMapper();

  private JsonValues() {}

  /** A copy that nobody changes, in the same order; null is a value in JSON. */
  static Map<String, @Nullable Object> copy(Map<String, ? extends @Nullable Object> values) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    values.forEach((name, value) -> copy.put(name, frozen(value)));
    return Collections.unmodifiableMap(copy);
  }

  private static @Nullable Object frozen(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, field) -> copy.put(String.valueOf(name), frozen(field)));
        yield Collections.unmodifiableMap(copy);
      }
      case Collection<?> items -> {
        var copy = new ArrayList<@Nullable Object>();
        for (var item : items) copy.add(frozen(item));
        yield Collections.unmodifiableList(copy);
      }
      case null -> null;
      default -> value;
    };
  }

  /** An object by its text; empty where the text is none. */
  static Optional<Map<String, @Nullable Object>> object(String json) {
    try {
      var tree = MAPPER.readTree(json);
      if (!tree.isObject()) return Optional.empty();
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      for (var field : tree.properties()) {
        map.put(field.getKey(), MAPPER.treeToValue(field.getValue(), Object.class));
      }
      return Optional.of(Collections.unmodifiableMap(map));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** A string by its text; empty where the text is none. */
  static Optional<String> string(String json) {
    try {
      var tree = MAPPER.readTree(json);
      return tree.isString() ? Optional.of(tree.stringValue()) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** A value by its text; empty for null and for what is none. */
  static Optional<Object> scalar(String json) {
    try {
      return Optional.ofNullable(MAPPER.readValue(json, Object.class));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Whether a text is one JSON value and nothing else. */
  static boolean isValue(String json) {
    try {
      return !MAPPER.readTree(json).isMissingNode();
    } catch (JacksonException e) {
      return false;
    }
  }

  /** What a character is within a JSON string. */
  static String escaped(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> c < ' ' ? "\\u%04x".formatted((int) c) : Character.toString(c);
    };
  }

  /** The same values as a tree. */
  static ObjectNode tree(Map<String, ? extends @Nullable Object> values) {
    return MAPPER.valueToTree(values);
  }

  static String text(@Nullable Object value) {
    return MAPPER.writeValueAsString(value);
  }
}
