package weft.serve.openai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.chat.Message;
import weft.chat.Part;
import weft.serve.web.Fields;

/** The messages of a chat as OpenAI's clients write them. */
final class ChatMessages {
  /** Messages of a conversation. */
  static final int MOST_MESSAGES = 4096;

  /** Parts of a message. */
  static final int MOST_PARTS = 1024;

  /** Calls of a message. */
  static final int MOST_CALLS = 128;

  private static final List<String> ROLES =
      List.of("system", "developer", "user", "assistant", "tool", "function");

  private final Map<String, Part.Call> calls = new HashMap<>();

  private ChatMessages() {}

  static List<Message> read(Fields body) {
    body.required("messages", "a list of messages");
    var given = body.objects("messages", MOST_MESSAGES);
    if (given.isEmpty()) {
      throw Fields.bad("messages", "an empty list", "a list of at least one message");
    }
    var reader = new ChatMessages();
    return given.stream().map(reader::message).toList();
  }

  private Message message(Fields message) {
    message.required("role", "one of " + ROLES);
    var role = message.word("role", ROLES).orElseThrow();
    return switch (role) {
      case "system", "developer" -> Message.system(text(message, true));
      case "user" -> Message.user(text(message, true));
      case "assistant" -> assistant(message);
      default -> result(message, role);
    };
  }

  private Message assistant(Fields message) {
    var parts = new ArrayList<Part>();
    var thought = message.text("reasoning_content").orElse("");
    if (!thought.isEmpty()) parts.add(new Part.Thought(thought));
    var called = message.objects("tool_calls", MOST_CALLS);
    var text = text(message, called.isEmpty());
    if (!text.isEmpty()) parts.addAll(Message.assistant(text).parts());
    for (var call : called) parts.add(call(call));
    return Message.of(Message.ASSISTANT, parts.toArray(Part[]::new));
  }

  private Part.Call call(Fields call) {
    call.required("function", "an object with a name and arguments");
    var function = call.object("function").orElseThrow();
    function.required("name", "the name of a tool");
    var path = function.path("arguments");
    var json = function.text("arguments").filter(text -> !text.isBlank()).orElse("{}");
    var made =
        Part.Call.of(call.text("id").orElse(""), function.text("name").orElseThrow(), json)
            .orElseThrow(() -> Fields.bad(path, "other text", "a JSON object as text"));
    if (!made.id().isEmpty()) calls.put(made.id(), made);
    return made;
  }

  private Message result(Fields message, String role) {
    var id = message.text("tool_call_id").orElse("");
    var name = message.text("name").orElse("");
    if (role.equals("tool") && id.isEmpty()) message.required("tool_call_id", "the id of a call");
    var call = calls.getOrDefault(id, new Part.Call(id, name, Map.of()));
    return Message.tool(call, text(message, true));
  }

  /** The content as text: a string, or a list of parts that are. */
  static String text(Fields message, boolean isRequired) {
    var content = message.field("content");
    if (content.isEmpty()) {
      if (isRequired) message.required("content", "a string, or a list of parts");
      return "";
    }
    if (content.get().isString()) return content.get().stringValue();
    if (!content.get().isArray()) {
      throw message.wrong("content", content.get(), "a string, or a list of parts");
    }
    var text = new StringBuilder();
    for (var part : message.objects("content", MOST_PARTS)) {
      var type = part.text("type").orElse("text");
      switch (type) {
        case "text", "input_text", "output_text" -> {
          part.required("text", "a string");
          text.append(part.text("text").orElseThrow());
        }
        case "refusal" -> text.append(part.text("refusal").orElse(""));
        case "image_url", "input_audio", "file" ->
            throw part.unsupported("type", "this model reads text alone, not " + type);
        default -> throw Fields.bad(part.path("type"), Fields.quoted(type), "text");
      }
    }
    return text.toString();
  }
}
