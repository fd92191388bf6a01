package weft.constrain.schema;

import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schemas and values by chance, out of so few names and values that they often fit. Where a schema
 * has properties it has all of the names, in the order in which values have them, so that the order
 * of a value is never a reason to refuse it.
 */
final class RandomSchemas {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<String> OTHERS = List.of("x", "y");
  private static final List<String> TYPES =
      List.of("object", "object", "array", "string", "integer", "number", "null", "boolean");
  private static final List<String> PATTERNS =
      List.of("^a", "b$", "^[a-c]+$", "^.{2}$", "1", "^$", "a|x", "^(ab)*$");
  private static final List<String> KEY_PATTERNS = List.of("^a", "[xy]", "b|c", "^.$", "^[^b]$");
  private static final List<String> TEXTS = List.of("", "a", "ab", "abc", "ba", "x1", "12");
  private static final List<String> DECIMALS =
      List.of("0", "1", "2", "5", "-1", "1.5", "0.5", "10");

  private final Random random;
  private final JsonNodeFactory nodes = JsonNodeFactory.instance;

  RandomSchemas(long seed) {
    this.random = new Random(seed);
  }

  private boolean chance(double share) {
    return random.nextDouble() < share;
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private JsonNode scalar() {
    return switch (random.nextInt(4)) {
      case 0 -> nodes.nullNode();
      case 1 -> nodes.booleanNode(random.nextBoolean());
      case 2 -> nodes.stringNode(any(TEXTS));
      default -> SharedSchemas.MAPPER.readTree(any(DECIMALS));
    };
  }

  JsonNode value(int depth) {
    if (depth == 0 || chance(0.4)) return scalar();
    if (chance(0.4)) {
      var array = nodes.arrayNode();
      for (int i = random.nextInt(4); i > 0; i--) array.add(value(depth - 1));
      return array;
    }
    var object = nodes.objectNode();
    for (var names : List.of(NAMES, OTHERS)) {
      for (var name : names) if (chance(0.45)) object.set(name, value(depth - 1));
    }
    return object;
  }

  JsonNode schema(int depth) {
    if (chance(0.06)) return nodes.booleanNode(chance(0.7));
    var schema = nodes.objectNode();
    if (chance(0.6)) schema.put("type", any(TYPES));
    var type = schema.path("type").asString("");
    if (is(type, "number") || is(type, "integer")) numbers(schema);
    if (is(type, "string")) texts(schema);
    if (depth > 0) {
      if (is(type, "array")) arrays(schema, depth - 1);
      if (is(type, "object")) objects(schema, depth - 1);
      combinations(schema, depth - 1);
    }
    if (chance(0.07)) {
      var values = schema.putArray("enum");
      for (int i = random.nextInt(3); i >= 0; i--) values.add(value(1));
    }
    return schema;
  }

  private boolean is(String type, String wanted) {
    return type.isEmpty() ? chance(0.25) : type.equals(wanted);
  }

  private void numbers(ObjectNode schema) {
    if (chance(0.3)) schema.set("minimum", SharedSchemas.MAPPER.readTree(any(DECIMALS)));
    if (chance(0.3)) schema.set("exclusiveMaximum", SharedSchemas.MAPPER.readTree(any(DECIMALS)));
    if (chance(0.15))
      schema.set("multipleOf", SharedSchemas.MAPPER.readTree(any(List.of("1", "0.5", "5"))));
  }

  private void texts(ObjectNode schema) {
    if (chance(0.3)) schema.put("minLength", random.nextInt(4));
    if (chance(0.3)) schema.put("maxLength", random.nextInt(4));
    if (chance(0.4)) schema.put("pattern", any(PATTERNS));
  }

  private void arrays(ObjectNode schema, int depth) {
    if (chance(0.5)) schema.set("items", schema(depth));
    if (chance(0.25)) list(schema.putArray("prefixItems"), depth);
    if (chance(0.25)) schema.put("minItems", random.nextInt(3));
    if (chance(0.25)) schema.put("maxItems", random.nextInt(4));
    if (chance(0.25)) schema.set("contains", schema(depth));
    if (chance(0.15)) schema.put("minContains", random.nextInt(3));
    if (chance(0.15)) schema.put("maxContains", random.nextInt(3));
  }

  private void objects(ObjectNode schema, int depth) {
    if (chance(0.8)) {
      var properties = schema.putObject("properties");
      for (var name : NAMES) properties.set(name, chance(0.6) ? schema(depth) : nodes.objectNode());
    }
    if (chance(0.4)) {
      var required = schema.putArray("required");
      for (var name : NAMES) if (chance(0.4)) required.add(name);
    }
    if (chance(0.3)) schema.set("additionalProperties", schema(depth));
    if (chance(0.25)) schema.putObject("patternProperties").set(any(KEY_PATTERNS), schema(depth));
    if (chance(0.1)) schema.putObject("propertyNames").put("pattern", any(KEY_PATTERNS));
    if (chance(0.15)) schema.put("minProperties", random.nextInt(4));
    if (chance(0.15)) schema.put("maxProperties", random.nextInt(4));
    if (chance(0.15)) schema.putObject("dependentRequired").putArray(any(NAMES)).add(any(NAMES));
  }

  private void combinations(ObjectNode schema, int depth) {
    for (var keyword : List.of("anyOf", "oneOf", "allOf")) {
      if (chance(0.12)) list(schema.putArray(keyword), depth);
    }
    if (chance(0.12)) schema.set("not", schema(depth));
    if (chance(0.08)) {
      for (var keyword : List.of("if", "then", "else")) schema.set(keyword, schema(depth));
    }
  }

  private void list(ArrayNode schemas, int depth) {
    for (int i = random.nextInt(3); i >= 0; i--) schemas.add(schema(depth));
  }
}
