package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;
import weft.constrain.Grammar;
import weft.constrain.Part;
import weft.constrain.Regex;
import weft.constrain.schema.JsonSchema;

/** The texts that call tools in a model's own notation, and do nothing else. */
final class CallGrammar {
  /** Calls of one answer; a model that cannot stop is stopped. */
  private static final int MOST_CALLS = 16;

  /** Which tools keep to their schemas. */
  private enum Kept {
    ALL,
    STRICT
  }

  private final Grammar.Builder builder = new Grammar.Builder();
  private final CallFormat format;
  private final Kept kept;

  private CallGrammar(CallFormat format, Kept kept) {
    this.format = format;
    this.kept = kept;
  }

  /**
   * What an answer has to be where a call is demanded.
   *
   * @param tools those that may be called, each with arguments that its schema allows
   * @param tags around a thought that the prompt has opened, and that has to be closed first
   */
  static Grammar of(
      CallFormat format, List<Tool> tools, ToolChoice choice, List<ThoughtTags> tags) {
    var grammar = new CallGrammar(format, Kept.ALL);
    var meant =
        tools.stream().filter(tool -> choice.name().map(tool.name()::equals).orElse(true)).toList();
    var answer = grammar.answer(grammar.calls(meant), choice.isSingle());
    var all = new ArrayList<Part>();
    for (var each : tags) all.add(thought(each));
    all.add(answer);
    return grammar.build(new Part.Sequence(all));
  }

  /**
   * What has to follow the mark of a call that the model has chosen to make: arguments are what the
   * schemas of strict tools allow, and any for the others.
   */
  static Grammar behindMark(CallFormat format, List<Tool> tools) {
    var grammar = new CallGrammar(format, Kept.STRICT);
    return grammar.build(grammar.behindMark(grammar.calls(tools), false));
  }

  /**
   * As {@link #behindMark}, with the beginning of the call: for models that have no token for it.
   */
  static Grammar begun(CallFormat format, List<Tool> tools) {
    var grammar = new CallGrammar(format, Kept.STRICT);
    var call = grammar.calls(tools);
    return grammar.build(format.mark().isPresent() ? grammar.marked(call) : call);
  }

  private Grammar build(Part root) {
    return builder.build(builder.rule("root", root));
  }

  private Part calls(List<Tool> tools) {
    var calls = new ArrayList<Part>();
    for (var tool : tools) calls.add(call(tool));
    return builder.rule("call", new Part.Choice(calls)).reference();
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
      case TAUGHT -> several(call, Part.text("\n"), isSingle);
      case TAGGED_JSON, TAGGED_PARAMETERS -> several(marked(call), Part.text("\n"), isSingle);
      case MISTRAL_NAMED -> several(marked(call), Part.EMPTY, isSingle);
      case MISTRAL_LIST -> Part.sequence(Part.text(MistralCalls.CALLS), behindMark(call, isSingle));
    };
  }

  private Part marked(Part call) {
    return Part.sequence(Part.text(format.mark().orElseThrow()), behindMark(call, true));
  }

  private Part behindMark(Part call, boolean isSingle) {
    return switch (format) {
      case BARE_JSON, GEMMA, TAUGHT, MISTRAL_NAMED -> call;
      case TAGGED_JSON, TAGGED_PARAMETERS ->
          Part.sequence(Part.text("\n"), call, Part.text("\n" + TaggedCalls.CLOSE));
      case MISTRAL_LIST ->
          Part.sequence(Part.text("["), several(call, Part.text(", "), isSingle), Part.text("]"));
    };
  }

  private static Part several(Part call, Part between, boolean isSingle) {
    if (isSingle) return call;
    return Part.sequence(call, Part.sequence(between, call).repeat(0, MOST_CALLS - 1));
  }

  private Part call(Tool tool) {
    var name = JsonValues.text(tool.name());
    return switch (format) {
      case BARE_JSON, GEMMA, TAUGHT -> Part.sequence(head(tool), arguments(tool), Part.text("}"));
      case MISTRAL_LIST, TAGGED_JSON -> object(tool, "{\"name\": " + name + ", \"arguments\": ");
      case TAGGED_PARAMETERS ->
          parameters(tool)
              // What tags cannot say is said in JSON, which is read as well.
              .orElseGet(() -> object(tool, "{\"name\": " + name + ", \"arguments\": "));
      case MISTRAL_NAMED -> {
        var id =
            Part.sequence(Part.text(MistralCalls.ID), Part.lexeme(Regex.parse("[a-zA-Z0-9]{9}")));
        yield Part.sequence(
            Part.text(tool.name()),
            id.optional(),
            Part.text(MistralCalls.ARGUMENTS),
            arguments(tool));
      }
    };
  }

  private Optional<Part> parameters(Tool tool) {
    return isKept(tool)
        ? ParameterGrammar.of(builder, tool)
        : Optional.of(ParameterGrammar.any(tool));
  }

  private boolean isKept(Tool tool) {
    return kept == Kept.ALL || tool.isStrict();
  }

  /** How a bare call begins; one that the model has begun by itself is spaced as it likes. */
  private Part head(Tool tool) {
    var parts =
        List.of("{", "\"name\"", ":", JsonValues.text(tool.name()), ",", "\"parameters\"", ":");
    if (kept == Kept.ALL) {
      return Part.text("{\"name\": " + JsonValues.text(tool.name()) + ", \"parameters\": ");
    }
    var spaced = new ArrayList<Regex>();
    for (var part : parts) {
      spaced.add(Regex.text(part));
      spaced.add(Regex.oneOf(" \n").repeat(0, 1));
    }
    return Part.lexeme(Regex.sequence(spaced.toArray(Regex[]::new)));
  }

  private Part object(Tool tool, String head) {
    return Part.sequence(Part.text(head), arguments(tool), Part.text("}"));
  }

  private Part arguments(Tool tool) {
    var schema = isKept(tool) ? schema(tool) : JsonValues.tree(Map.of("type", "object"));
    return JsonSchema.rule(builder, schema).reference();
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
