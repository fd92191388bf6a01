package weft.serve.ollama;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import weft.chat.Message;
import weft.chat.Part;
import weft.chat.Tool;
import weft.serve.ask.Images;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/** The messages and the tools of a chat as Ollama's clients write them. */
final class ChatReader {
  /** Messages of a conversation. */
  static final int MOST_MESSAGES = 4096;

  /** Calls of a message. */
  static final int MOST_CALLS = 128;

  /** Tools of a conversation. */
  static final int MOST_TOOLS = 128;

  private static final List<String> ROLES = List.of("system", "user", "assistant", "tool");

  private final List<Message> messages = new ArrayList<>();
  private final Images images;

  private ChatReader(Images images) {
    this.images = images;
  }

  static List<Message> messages(Fields body, Images images) {
    var reader = new ChatReader(images);
    body.objects("messages", MOST_MESSAGES).forEach(reader::message);
    return reader.messages;
  }

  private void message(Fields message) {
    message.required("role", "one of " + ROLES);
    var shown = images(message, images);
    var text = message.text("content").orElse("");
    var role = message.text("role").orElseThrow().toLowerCase(Locale.ROOT);
    if (!ROLES.contains(role)) {
      throw Fields.bad(message.path("role"), Fields.quoted(role), "one of " + ROLES);
    }
    messages.add(
        switch (role) {
          case "system" -> Message.system(text);
          case "assistant" -> assistant(message, text);
          case "tool" -> Message.tool(called(message), with(shown, text));
          default -> Message.of(Message.USER, with(shown, text).toArray(Part[]::new));
        });
    if (!shown.isEmpty() && (role.equals("system") || role.equals("assistant"))) {
      throw Fields.bad(message.path("images"), "images", "absent, unless the user shows them");
    }
  }

  /** The images of a message or of a prompt. */
  static List<Part> images(Fields fields, Images images) {
    var shown = new ArrayList<Part>();
    var given = fields.list("images", Images.MOST_IMAGES);
    for (int i = 0; i < given.size(); i++) {
      var path = fields.path("images") + "[" + i + "]";
      if (!given.get(i).isString()) throw Fields.bad(path, Fields.met(given.get(i)), "base64");
      shown.add(images.base64(path, given.get(i).stringValue()));
    }
    return shown;
  }

  /** What is shown comes before what is said of it, as the vendor puts it. */
  static List<Part> with(List<Part> shown, String text) {
    var parts = new ArrayList<>(shown);
    parts.add(new Part.Text(text));
    return parts;
  }

  private Message assistant(Fields message, String text) {
    var parts = new ArrayList<Part>();
    message
        .text("thinking")
        .filter(each -> !each.isEmpty())
        .map(Part.Thought::new)
        .ifPresent(parts::add);
    if (!text.isEmpty()) parts.addAll(Message.assistant(text).parts());
    for (var call : message.objects("tool_calls", MOST_CALLS)) {
      call.required("function", "an object with a name and arguments");
      var function = call.object("function").orElseThrow();
      function.required("name", "the name of a tool");
      var arguments =
          function.object("arguments").map(fields -> Json.map(fields.node())).orElse(Map.of());
      // The vendor's calls had no names for long: results come in their order.
      var id = call.text("id").orElse("call_" + messages.size() + "_" + parts.size());
      parts.add(new Part.Call(id, function.text("name").orElseThrow(), arguments));
    }
    return Message.of(Message.ASSISTANT, parts.toArray(Part[]::new));
  }

  /** The call that a result is of: by its id, else the first of the tool's that has none. */
  private Part.Call called(Fields message) {
    var id = message.text("tool_call_id");
    var name = message.text("tool_name").or(() -> message.text("name")).orElse("");
    int results = 0;
    for (var last : messages.reversed()) {
      if (last.role().equals(Message.TOOL)) {
        results++;
        continue;
      }
      var calls = last.calls();
      var byId =
          id.flatMap(wanted -> calls.stream().filter(c -> c.id().equals(wanted)).findFirst());
      if (byId.isPresent()) return byId.get();
      Optional<Part.Call> byPlace =
          results < calls.size() ? Optional.of(calls.get(results)) : Optional.empty();
      return byPlace
          .filter(call -> name.isEmpty() || call.name().equals(name))
          .orElseGet(() -> new Part.Call(id.orElse(""), name, Map.of()));
    }
    return new Part.Call(id.orElse(""), name, Map.of());
  }

  static List<Tool> tools(Fields body) {
    var tools = new ArrayList<Tool>();
    for (var tool : body.objects("tools", MOST_TOOLS)) {
      tool.word("type", List.of("function"));
      tool.required("function", "an object with a name");
      var function = tool.object("function").orElseThrow();
      function.required("name", "the name of a tool");
      var parameters = function.object("parameters").map(Fields::node).orElseGet(Json::object);
      tools.add(
          Tool.of(
              function.text("name").orElseThrow(),
              function.text("description").orElse(""),
              Json.map(parameters)));
    }
    return tools;
  }
}
