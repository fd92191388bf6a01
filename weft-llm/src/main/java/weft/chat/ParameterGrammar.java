package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.constrain.Grammar;
import weft.constrain.Part;
import weft.constrain.Regex;
import weft.constrain.schema.JsonSchema;

/** A function and its parameters as tags, for tools whose schemas tags can keep. */
final class ParameterGrammar {
  /** What a schema of arguments may say besides what it says of each of them. */
  private static final Set<String> OF_ALL =
      Set.of(
          "type",
          "properties",
          "required",
          "additionalProperties",
          "title",
          "description",
          "$schema",
          "$defs",
          "definitions",
          "$id",
          "$comment",
          "default",
          "examples");

  /** What a schema of a text may say: the text has no quotes here, as JSON's have. */
  private static final Set<String> OF_TEXTS =
      Set.of("type", "enum", "const", "title", "description", "default", "examples", "$comment");

  private static final String END = "\n</parameter>\n";

  /** A text that has no tag by which it would end. */
  private static final Regex ANY_TEXT =
      Regex.sequence(
              Regex.ANY_TEXT,
              Regex.parse("</parameter>|\\n<(parameter=|/function>)"),
              Regex.ANY_TEXT)
          .not();

  private ParameterGrammar() {}

  /** Empty where the schema says more than tags can keep. */
  static Optional<Part> of(Grammar.Builder builder, Tool tool) {
    var schema = CallGrammar.schema(tool);
    if (!OF_ALL.containsAll(schema.propertyNames())) return Optional.empty();
    var required = new ArrayList<String>();
    for (var name : schema.path("required").values()) required.add(name.asString(""));
    var parts = new ArrayList<Part>();
    parts.add(Part.text(TaggedCalls.FUNCTION + tool.name() + ">\n"));
    for (var property : schema.path("properties").properties()) {
      var value = value(builder, tool, property.getKey(), property.getValue(), schema);
      if (value.isEmpty()) return Optional.empty();
      var part =
          Part.sequence(
              Part.text("<parameter=" + property.getKey() + ">\n"), value.get(), Part.text(END));
      parts.add(required.remove(property.getKey()) ? part : part.optional());
    }
    if (!required.isEmpty()) return Optional.empty();
    parts.add(Part.text("</function>"));
    return Optional.of(new Part.Sequence(parts));
  }

  /** Any parameters, which are texts. */
  static Part any(Tool tool) {
    var parameter =
        Part.sequence(
            Part.text("<parameter="),
            Part.lexeme(Regex.parse("[^>\\n]+")),
            Part.text(">\n"),
            Part.lexeme(ANY_TEXT),
            Part.text(END));
    return Part.sequence(
        Part.text(TaggedCalls.FUNCTION + tool.name() + ">\n"),
        parameter.many(),
        Part.text("</function>"));
  }

  private static Optional<Part> value(
      Grammar.Builder builder, Tool tool, String name, JsonNode schema, ObjectNode whole) {
    if (ParameterType.of(tool, name) == ParameterType.TEXT) return text(schema);
    if (!(schema instanceof ObjectNode object)) return Optional.empty();
    var alone = object.deepCopy();
    for (var definitions : List.of("$defs", "definitions")) {
      if (whole.has(definitions)) alone.set(definitions, whole.get(definitions));
    }
    return Optional.of(JsonSchema.rule(builder, alone).reference());
  }

  private static Optional<Part> text(JsonNode schema) {
    if (!OF_TEXTS.containsAll(schema.propertyNames())) return Optional.empty();
    var allowed = new ArrayList<String>();
    for (var each : schema.path("enum").values()) allowed.add(each.asString(""));
    if (schema.has("const")) allowed.add(schema.get("const").asString(""));
    if (!allowed.isEmpty()) return Optional.of(Part.lexeme(Regex.anyText(allowed)));
    return Optional.of(Part.lexeme(ANY_TEXT));
  }
}
