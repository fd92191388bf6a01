package weft.constrain.schema;

import tools.jackson.databind.JsonNode;

/** The edition of JSON Schema that a document says it follows. */
enum Draft {
  THREE,
  FOUR,
  SIX,
  SEVEN,
  LATER;

  /** By {@code $schema}; a document that does not say follows the latest. */
  static Draft of(JsonNode root) {
    var said = root.path("$schema");
    if (!said.isString()) return LATER;
    var uri = said.stringValue();
    if (uri.contains("draft-03")) return THREE;
    if (uri.contains("draft-04")) return FOUR;
    if (uri.contains("draft-06")) return SIX;
    if (uri.contains("draft-07")) return SEVEN;
    return LATER;
  }

  /** The keyword that names a resource. */
  String identifier() {
    return compareTo(FOUR) <= 0 ? "id" : "$id";
  }

  /** Whether what stands beside a reference does not count. */
  boolean isReferenceAlone() {
    return compareTo(SEVEN) <= 0;
  }
}
