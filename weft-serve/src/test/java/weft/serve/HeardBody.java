package weft.serve;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The fields of a route's bodies as they were read, put together to a JSON schema. */
final class HeardBody {
  /** A field, or the body itself. */
  private static final class Part {
    private final ObjectNode said = JsonNodeFactory.instance.objectNode();
    private final Map<String, Part> properties = new TreeMap<>();
    private final Set<String> places = new HashSet<>();
    private final Set<String> demanded = new HashSet<>();
    private final Set<String> typed = new HashSet<>();
    private boolean isAnything;
    private boolean isList;

    private Part property(String name) {
      return properties.computeIfAbsent(name, n -> new Part());
    }

    private ObjectNode schema() {
      var schema = JsonNodeFactory.instance.objectNode();
      if (said.has("description")) schema.set("description", said.get("description"));
      // What must be there and is read as one kind here, and as none there, may be several.
      if (isAnything || !typed.isEmpty() && !typed.containsAll(demanded)) return schema;
      schema.setAll(said);
      if (properties.isEmpty()) return schema;
      if (isList) schema.put("type", "array").set("items", object());
      else schema.setAll(object());
      return schema;
    }

    private ObjectNode object() {
      var object = JsonNodeFactory.instance.objectNode().put("type", "object");
      var fields = object.putObject("properties");
      properties.forEach((name, part) -> fields.set(name, part.schema()));
      var required =
          properties.entrySet().stream()
              .filter(each -> each.getValue().demanded.containsAll(places))
              .map(Map.Entry::getKey)
              .toList();
      if (!required.isEmpty()) required.forEach(object.putArray("required")::add);
      return object;
    }
  }

  private final Part body = new Part();
  private int requests;

  /** The next fields are another request's. */
  void end() {
    requests++;
  }

  void field(String path, ObjectNode schema) {
    var part = body;
    var place = requests + ":";
    part.places.add(place);
    var names = path.split("\\.");
    for (int i = 0; i < names.length; i++) {
      var name = names[i].replaceAll("\\[\\d+]$", "");
      part = part.property(name);
      if (i == names.length - 1) break;
      place += names[i] + ".";
      part.isList |= !name.equals(names[i]);
      part.places.add(place);
    }
    note(part, place, schema);
  }

  private static void note(Part part, String place, ObjectNode schema) {
    if (schema.isEmpty()) {
      part.isAnything = true;
    } else if (schema.has("description")) {
      part.demanded.add(place);
      part.said.set("description", schema.get("description"));
    } else {
      part.typed.add(place);
      // The first says most: a word is read as a text, too.
      schema
          .properties()
          .forEach(
              each -> {
                if (!part.said.has(each.getKey())) part.said.set(each.getKey(), each.getValue());
              });
    }
  }

  ObjectNode schema() {
    return body.schema();
  }
}
