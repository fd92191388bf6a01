package weft.chat;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import weft.constrain.Grammar;
import weft.constrain.Part;
import weft.constrain.Regex;
import weft.constrain.schema.JsonSchema;

/** The texts that call tools in a model's own notation, and do nothing else. */
final class CallGrammar {
  /** Calls of one answer; a model that cannot stop is stopped. */
  private static final int MOST_CALLS = 16;

  private static final Part LINE = Part.text("\n");

  private final Grammar.Builder builder = new Grammar.Builder();
  private final CallFormat format;

  private CallGrammar(CallFormat format) {
    this.format = format;
  }

  /**
   * What an answer has to be where a call is demanded.
   *
   * @param tools those that may be called, each with arguments that its schema allows
   * @param tags around a thought that the prompt has opened, and that has to be closed first
   */
  static Grammar of(
      CallFormat format, List<Tool> tools, ToolChoice choice, List<ThoughtTags> tags) {
    var grammar = new CallGrammar(format);
    var calls = new ArrayList<Part>();
    for (var tool : tools) {
      boolean isMeant = choice.name().map(tool.name()::equals).orElse(true);
      if (isMeant) calls.add(grammar.call(tool));
    }
    var call = grammar.builder.rule("call", new Part.Choice(calls)).reference();
    var answer = grammar.answer(call, choice.isSingle());
    var all = new ArrayList<Part>();
    for (var each : tags) all.add(thought(each));
    all.add(answer);
    return grammar.builder.build(grammar.builder.rule("root", new Part.Sequence(all)));
  }

  /** What is thought ends with its tag, which it does not contain. */
  private static Part thought(ThoughtTags tags) {
    var within = Regex.sequence(Regex.ANY_TEXT, Regex.text(tags.close()), Regex.ANY_TEXT).not();
    var closed = Regex.sequence(within, Regex.text(tags.close()), Regex.oneOf(" \n").repeat(0, 4));
    return Part.lexeme(closed);
  }

  private Part answer(Part call, boolean isSingle) {
    return switch (format) {
      // The templates of these know of one call in a message.
      case BARE_JSON, GEMMA -> call;
      case TAGGED_JSON, TAGGED_PARAMETERS, TAUGHT -> several(call, LINE, isSingle);
      case MISTRAL_NAMED -> several(call, Part.EMPTY, isSingle);
      case MISTRAL_LIST ->
          Part.sequence(
              Part.text(MistralCalls.CALLS + "["),
              several(call, Part.text(", "), isSingle),
              Part.text("]"));
    };
  }

  private static Part several(Part call, Part between, boolean isSingle) {
    if (isSingle) return call;
    return Part.sequence(call, Part.sequence(between, call).repeat(0, MOST_CALLS - 1));
  }

  private Part call(Tool tool) {
    var name = JsonValues.text(tool.name());
    return switch (format) {
      case BARE_JSON, GEMMA, TAUGHT -> object(tool, "{\"name\": " + name + ", \"parameters\": ");
      case MISTRAL_LIST -> object(tool, "{\"name\": " + name + ", \"arguments\": ");
      case TAGGED_JSON -> tagged(object(tool, "{\"name\": " + name + ", \"arguments\": "));
      case TAGGED_PARAMETERS ->
          ParameterGrammar.of(builder, tool)
              .map(CallGrammar::tagged)
              // What tags cannot say is said in JSON, which is read as well.
              .orElseGet(() -> tagged(object(tool, "{\"name\": " + name + ", \"arguments\": ")));
      case MISTRAL_NAMED -> {
        var id =
            Part.sequence(Part.text(MistralCalls.ID), Part.lexeme(Regex.parse("[a-zA-Z0-9]{9}")));
        yield Part.sequence(
            Part.text(MistralCalls.CALLS + tool.name()),
            id.optional(),
            Part.text(MistralCalls.ARGUMENTS),
            arguments(tool));
      }
    };
  }

  private static Part tagged(Part call) {
    return Part.sequence(
        Part.text(TaggedCalls.OPEN + "\n"), call, Part.text("\n" + TaggedCalls.CLOSE));
  }

  private Part object(Tool tool, String head) {
    return Part.sequence(Part.text(head), arguments(tool), Part.text("}"));
  }

  private Part arguments(Tool tool) {
    return JsonSchema.rule(builder, schema(tool)).reference();
  }

  /** Arguments are an object, of those properties that are named where any are. */
  static ObjectNode schema(Tool tool) {
    var schema = JsonValues.tree(tool.parameters());
    if (!schema.has("type")) schema.put("type", "object");
    boolean isPlain =
        List.of(
                "additionalProperties",
                "patternProperties",
                "unevaluatedProperties",
                "$ref",
                "allOf",
                "anyOf",
                "oneOf",
                "not",
                "if",
                "propertyNames",
                "minProperties")
            .stream()
            .noneMatch(schema::has);
    var names = schema.path("properties");
    for (var required : schema.path("required").values()) {
      isPlain &= names.has(required.asString(""));
    }
    if (isPlain) schema.put("additionalProperties", false);
    return schema;
  }
}
