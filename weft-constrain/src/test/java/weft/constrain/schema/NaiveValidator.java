package weft.constrain.schema;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Tells whether a value is of a schema the obvious way; of the keywords that RandomSchemas makes.
 */
final class NaiveValidator {
  private NaiveValidator() {}

  static boolean isValid(JsonNode schema, JsonNode value) {
    if (schema.isBoolean()) return schema.booleanValue();
    return isOfType(schema, value)
        && isListed(schema, value)
        && (!value.isNumber() || isNumber(schema, value.decimalValue()))
        && (!value.isString() || isText(schema, value.stringValue()))
        && (!value.isArray() || isArray(schema, value))
        && (!value.isObject() || isObject(schema, value))
        && isCombined(schema, value);
  }

  private static boolean isOfType(JsonNode schema, JsonNode value) {
    if (!schema.has("type")) return true;
    return switch (schema.get("type").stringValue()) {
      case "null" -> value.isNull();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isNumber() && Band.isMultiple(value.decimalValue(), BigDecimal.ONE);
      case "number" -> value.isNumber();
      case "string" -> value.isString();
      case "array" -> value.isArray();
      default -> value.isObject();
    };
  }

  private static boolean isListed(JsonNode schema, JsonNode value) {
    if (!schema.has("enum")) return true;
    for (var one : schema.get("enum")) if (isSame(one, value)) return true;
    return false;
  }

  private static boolean isSame(JsonNode a, JsonNode b) {
    return a.isNumber() && b.isNumber()
        ? a.decimalValue().compareTo(b.decimalValue()) == 0
        : a.equals(b);
  }

  private static boolean isNumber(JsonNode schema, BigDecimal value) {
    return (!schema.has("minimum") || value.compareTo(schema.get("minimum").decimalValue()) >= 0)
        && (!schema.has("exclusiveMaximum")
            || value.compareTo(schema.get("exclusiveMaximum").decimalValue()) < 0)
        && (!schema.has("multipleOf")
            || Band.isMultiple(value, schema.get("multipleOf").decimalValue()));
  }

  private static boolean isText(JsonNode schema, String value) {
    return value.length() >= schema.path("minLength").intValue(0)
        && value.length() <= schema.path("maxLength").intValue(Integer.MAX_VALUE)
        && (!schema.has("pattern") || isFound(schema.get("pattern").stringValue(), value));
  }

  private static boolean isFound(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).find();
  }

  private static boolean isArray(JsonNode schema, JsonNode value) {
    if (value.size() < schema.path("minItems").intValue(0)) return false;
    if (value.size() > schema.path("maxItems").intValue(Integer.MAX_VALUE)) return false;
    int first = schema.path("prefixItems").size();
    int contained = 0;
    for (int i = 0; i < value.size(); i++) {
      if (i < first && !isValid(schema.get("prefixItems").get(i), value.get(i))) return false;
      if (i >= first && schema.has("items") && !isValid(schema.get("items"), value.get(i)))
        return false;
      if (schema.has("contains") && isValid(schema.get("contains"), value.get(i))) contained++;
    }
    return !schema.has("contains")
        || contained >= schema.path("minContains").intValue(1)
            && contained <= schema.path("maxContains").intValue(Integer.MAX_VALUE);
  }

  private static boolean isObject(JsonNode schema, JsonNode value) {
    if (value.size() < schema.path("minProperties").intValue(0)) return false;
    if (value.size() > schema.path("maxProperties").intValue(Integer.MAX_VALUE)) return false;
    for (var name : schema.path("required")) if (!value.has(name.stringValue())) return false;
    for (var entry : schema.path("dependentRequired").properties()) {
      if (!value.has(entry.getKey())) continue;
      for (var name : entry.getValue()) if (!value.has(name.stringValue())) return false;
    }
    for (var entry : value.properties())
      if (!isProperty(schema, entry.getKey(), entry.getValue())) return false;
    return true;
  }

  private static boolean isProperty(JsonNode schema, String key, JsonNode value) {
    boolean known = schema.path("properties").has(key);
    if (known && !isValid(schema.get("properties").get(key), value)) return false;
    for (var entry : schema.path("patternProperties").properties()) {
      if (!isFound(entry.getKey(), key)) continue;
      known = true;
      if (!isValid(entry.getValue(), value)) return false;
    }
    if (schema.has("propertyNames")
        && !isFound(schema.get("propertyNames").get("pattern").stringValue(), key)) {
      return false;
    }
    return known
        || !schema.has("additionalProperties")
        || isValid(schema.get("additionalProperties"), value);
  }

  private static boolean isCombined(JsonNode schema, JsonNode value) {
    for (var one : schema.path("allOf")) if (!isValid(one, value)) return false;
    if (schema.has("anyOf") && count(schema.get("anyOf"), value) == 0) return false;
    if (schema.has("oneOf") && count(schema.get("oneOf"), value) != 1) return false;
    if (schema.has("not") && isValid(schema.get("not"), value)) return false;
    if (!schema.has("if")) return true;
    return isValid(schema.get(isValid(schema.get("if"), value) ? "then" : "else"), value);
  }

  private static int count(JsonNode schemas, JsonNode value) {
    int count = 0;
    for (var schema : schemas) if (isValid(schema, value)) count++;
    return count;
  }
}
