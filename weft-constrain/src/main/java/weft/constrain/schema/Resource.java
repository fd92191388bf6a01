package weft.constrain.schema;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A part of a document with an identifier of its own, which references start from. */
record Resource(String identifier, JsonNode root, Map<String, JsonNode> anchors) {
  Resource(String identifier, JsonNode root) {
    this(identifier, root, new HashMap<>());
  }
}
