package weft.serve.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weft.chat.ChatOptions;
import weft.chat.Tool;
import weft.chat.ToolChoice;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/** The tools of a chat, and the choice of them, as OpenAI's clients write them. */
final class ChatTools {
  /** Tools of a conversation; the vendor's own number. */
  static final int MOST_TOOLS = 128;

  private static final String NAME = "[a-zA-Z0-9_.:-]{1,128}";

  private ChatTools() {}

  static ChatOptions read(Fields body, ChatOptions options) {
    for (var old : List.of("functions", "function_call")) {
      if (body.has(old)) throw body.unsupported(old, "use 'tools' and 'tool_choice'");
    }
    var tools = new ArrayList<Tool>();
    for (var tool : body.objects("tools", MOST_TOOLS)) tools.add(tool(tool));
    var choice = choice(body, tools);
    boolean isParallel = body.flag("parallel_tool_calls").orElse(true);
    return options.withTools(tools).withToolChoice(isParallel ? choice : choice.single());
  }

  private static Tool tool(Fields tool) {
    tool.required("type", "'function'");
    tool.word("type", List.of("function"));
    // Responses have what a function is beside its type.
    return function(tool.object("function").orElse(tool));
  }

  /** The name, description and parameters of a tool, wherever they stand. */
  static Tool function(Fields function) {
    function.required("name", "the name of a tool");
    var name = function.text("name").orElseThrow();
    if (!name.matches(NAME)) {
      throw Fields.bad(
          function.path("name"), Fields.quoted(name), "1 to 128 letters, digits and _ . : -");
    }
    var parameters = function.object("parameters").map(Fields::node);
    var tool =
        Tool.of(
            name,
            function.text("description").orElse(""),
            parameters.map(Json::map).orElseGet(ChatTools::noParameters));
    return function.flag("strict").orElse(false) ? tool.strict() : tool;
  }

  private static Map<String, @Nullable Object> noParameters() {
    var schema = new LinkedHashMap<String, @Nullable Object>();
    schema.put("type", "object");
    schema.put("properties", Map.of());
    return schema;
  }

  private static ToolChoice choice(Fields body, List<Tool> tools) {
    var given = body.field("tool_choice");
    if (given.isEmpty()) return ToolChoice.AUTO;
    if (given.get().isString()) {
      var word = body.word("tool_choice", List.of("none", "auto", "required")).orElseThrow();
      return switch (word) {
        case "none" -> ToolChoice.NONE;
        case "required" -> demanded(body, tools);
        default -> ToolChoice.AUTO;
      };
    }
    var choice = body.object("tool_choice").orElseThrow();
    choice.required("type", "'function' or 'allowed_tools'");
    var type = choice.word("type", List.of("function", "allowed_tools")).orElseThrow();
    return type.equals("function") ? named(choice, tools) : allowed(body, choice, tools);
  }

  private static ToolChoice demanded(Fields body, List<Tool> tools) {
    if (tools.isEmpty()) {
      throw Fields.bad(body.path("tool_choice"), "'required'", "absent where there are no 'tools'");
    }
    return ToolChoice.REQUIRED;
  }

  private static ToolChoice named(Fields choice, List<Tool> tools) {
    var function = choice.object("function").orElse(choice);
    function.required("name", "the name of a tool");
    var name = function.text("name").orElseThrow();
    requireKnown(function.path("name"), name, tools);
    return ToolChoice.named(name);
  }

  private static void requireKnown(String path, String name, List<Tool> tools) {
    var names = tools.stream().map(Tool::name).toList();
    if (!names.contains(name)) {
      throw Fields.bad(path, Fields.quoted(name), "the name of one of 'tools'");
    }
  }

  /** Those that are not allowed are not shown to the model at all. */
  private static ToolChoice allowed(Fields body, Fields choice, List<Tool> tools) {
    var allowed = choice.object("allowed_tools").orElse(choice);
    var names = new ArrayList<String>();
    for (var each : allowed.objects("tools", MOST_TOOLS)) {
      var function = each.object("function").orElse(each);
      function.required("name", "the name of a tool");
      var name = function.text("name").orElseThrow();
      requireKnown(function.path("name"), name, tools);
      names.add(name);
    }
    tools.removeIf(tool -> !names.contains(tool.name()));
    var mode = allowed.word("mode", List.of("auto", "required")).orElse("auto");
    return mode.equals("required") ? demanded(body, tools) : ToolChoice.AUTO;
  }
}
