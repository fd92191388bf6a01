package weft.chat;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a schema says of a parameter, as far as it tells a text from another value. */
enum ParameterType {
  /** Always a text. */
  TEXT,
  /** Anything; what reads as another value than a text is that. */
  ANY;

  static ParameterType of(Tool tool, String parameter) {
    var types = new HashSet<String>();
    boolean isKnown =
        tool.parameters().get("properties") instanceof Map<?, ?> properties
            && properties.get(parameter) instanceof Map<?, ?> schema
            && collect(schema, types);
    return isKnown && types.equals(Set.of("string")) ? TEXT : ANY;
  }

  /** Adds the types that a schema names; false where it leaves them open. */
  private static boolean collect(Map<?, ?> schema, Set<String> types) {
    if (schema.get("type") instanceof String type) return types.add(type) || true;
    if (schema.get("type") instanceof Collection<?> several) {
      for (var each : several) types.add(String.valueOf(each));
      return true;
    }
    if (schema.get("enum") instanceof Collection<?> values) {
      for (var each : values) types.add(each instanceof String ? "string" : "other");
      return true;
    }
    for (var choice : new String[] {"anyOf", "oneOf"}) {
      if (schema.get(choice) instanceof Collection<?> several) {
        return several.stream().allMatch(each -> each instanceof Map<?, ?> m && collect(m, types));
      }
    }
    return false;
  }

  /** A written value as JSON. */
  String json(String written) {
    var bare = written.strip();
    var spelled =
        switch (bare) {
          // Models that know Python write its names.
          case "True" -> Optional.of("true");
          case "False" -> Optional.of("false");
          case "None" -> Optional.of("null");
          default -> Optional.of(bare).filter(text -> !text.isEmpty() && JsonValues.isValue(text));
        };
    return spelled
        .filter(text -> this != TEXT)
        .orElseGet(() -> JsonValues.text(withoutLines(written)));
  }

  /** The lines of the tags around a value are not part of it. */
  private static String withoutLines(String written) {
    int from = written.startsWith("\n") ? 1 : 0;
    int to = written.length() - (written.length() > from && written.endsWith("\n") ? 1 : 0);
    return written.substring(from, to);
  }
}
