package weft.serve.anthropic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import weft.chat.Message;
import weft.chat.Part;
import weft.serve.ask.Images;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/** The messages of a chat as Anthropic's clients write them: blocks of several kinds. */
final class MessageReader {
  /** Messages of a conversation. */
  static final int MOST_MESSAGES = 4096;

  /** Blocks of a message. */
  static final int MOST_BLOCKS = 1024;

  private static final List<String> ROLES = List.of("user", "assistant", "system");

  private final List<Message> messages = new ArrayList<>();
  private final Map<String, Part.Call> calls = new HashMap<>();
  private final Set<String> unanswered = new LinkedHashSet<>();
  private final Images images;
  private boolean isLast;

  private MessageReader(Images images) {
    this.images = images;
  }

  static List<Message> read(Fields body, Images images) {
    var reader = new MessageReader(images);
    var system = reader.text(body, "system");
    if (!system.isEmpty()) reader.messages.add(Message.system(system));
    body.required("messages", "a list of messages");
    var given = body.objects("messages", MOST_MESSAGES);
    if (given.isEmpty()) {
      throw Fields.bad("messages", "an empty list", "a list of at least one message");
    }
    for (int i = 0; i < given.size(); i++) {
      reader.isLast = i == given.size() - 1;
      reader.message(given.get(i));
    }
    reader.requireAnswered("messages");
    return reader.messages;
  }

  private void message(Fields message) {
    message.required("role", "one of " + ROLES);
    message.required("content", "a string, or a list of blocks");
    var role = message.word("role", ROLES).orElseThrow();
    if (!role.equals("user")) requireAnswered(message.path());
    switch (role) {
      case "assistant" -> assistant(message);
      case "system" -> messages.add(Message.system(text(message, "content")));
      default -> {
        user(message);
        requireAnswered(message.path());
      }
    }
  }

  /** The message behind calls has their results. */
  private void requireAnswered(String path) {
    if (unanswered.isEmpty()) return;
    throw Fields.bad(
        path,
        "none for " + Fields.quoted(unanswered.iterator().next()),
        "a user's message with a tool_result for each tool_use before");
  }

  private void assistant(Fields message) {
    var parts = new ArrayList<Part>();
    for (var block : blocks(message, "content")) {
      switch (type(block)) {
        case "text" -> parts.add(new Part.Text(content(block)));
        case "thinking" -> parts.add(new Part.Thought(block.text("thinking").orElse("")));
        case "redacted_thinking" -> {} // what another server wrote for itself
        case "tool_use" -> parts.add(call(block));
        default -> throw unread(block);
      }
    }
    if (parts.isEmpty() && !isLast) throw empty(message);
    // The vendor takes turns of one role in a row as one.
    if (!messages.isEmpty() && messages.getLast().role().equals(Message.ASSISTANT)) {
      parts.addAll(0, messages.removeLast().parts());
    }
    messages.add(Message.of(Message.ASSISTANT, parts.toArray(Part[]::new)));
  }

  private static RuntimeException empty(Fields message) {
    return Fields.bad(message.path("content"), "nothing", "a text, or at least one block");
  }

  private Part.Call call(Fields block) {
    block.required("id", "a string");
    block.required("name", "the name of a tool");
    var input = block.object("input").map(Fields::node).orElseGet(Json::object);
    var call =
        new Part.Call(
            block.text("id").orElseThrow(), block.text("name").orElseThrow(), Json.map(input));
    calls.put(call.id(), call);
    unanswered.add(call.id());
    return call;
  }

  /** Results of tools come first, whatever else the user says is one message. */
  private void user(Fields message) {
    var said = new ArrayList<Fields>();
    var blocks = blocks(message, "content");
    if (blocks.isEmpty()) throw empty(message);
    for (var block : blocks) {
      switch (type(block)) {
        case "text" -> {
          if (content(block).isEmpty()) throw empty(message);
          said.add(block);
        }
        case "image" -> said.add(block);
        case "tool_result" -> messages.add(result(block));
        default -> throw unread(block);
      }
    }
    if (said.isEmpty()) return;
    var parts = parts(said);
    // The vendor takes turns of one role in a row as one.
    if (!messages.isEmpty() && messages.getLast().role().equals(Message.USER)) {
      var before = new ArrayList<>(messages.removeLast().parts());
      add(before, "\n\n");
      parts.forEach(part -> add(before, part));
      parts = before;
    }
    messages.add(Message.of(Message.USER, parts.toArray(Part[]::new)));
  }

  /** Texts and images, each text that follows another on a line of its own. */
  private List<Part> parts(List<Fields> blocks) {
    var parts = new ArrayList<Part>();
    for (var block : blocks) {
      switch (type(block)) {
        case "text" -> {
          boolean goesOn = !parts.isEmpty() && parts.getLast() instanceof Part.Text;
          add(parts, (goesOn ? "\n" : "") + content(block));
        }
        case "image" -> parts.add(image(block));
        default -> throw unread(block);
      }
    }
    return parts.isEmpty() ? List.of(new Part.Text("")) : parts;
  }

  private static void add(List<Part> parts, Part more) {
    if (more instanceof Part.Text(var text)) add(parts, text);
    else parts.add(more);
  }

  /** Texts in a row are one. */
  private static void add(List<Part> parts, String text) {
    boolean goesOn = !parts.isEmpty() && parts.getLast() instanceof Part.Text;
    var before = goesOn ? ((Part.Text) parts.removeLast()).text() : "";
    parts.add(new Part.Text(before + text));
  }

  private Part.Image image(Fields block) {
    block.required("source", "an object with the image, or with its URL");
    var source = block.object("source").orElseThrow();
    source.required("type", "base64 or url");
    return switch (source.word("type", List.of("base64", "url")).orElseThrow()) {
      case "url" -> {
        source.required("url", "the URL of an image");
        yield images.url(source.path("url"), source.text("url").orElseThrow());
      }
      default -> {
        source.text("media_type");
        source.required("data", "an image in base64");
        yield images.base64(source.path("data"), source.text("data").orElseThrow());
      }
    };
  }

  private Message result(Fields block) {
    block.required("tool_use_id", "the id of a tool_use block");
    var id = block.text("tool_use_id").orElseThrow();
    block.flag("is_error");
    var call = Optional.ofNullable(calls.get(id));
    if (call.isEmpty()) {
      throw Fields.bad(
          block.path("tool_use_id"), Fields.quoted(id), "the id of a tool_use block before");
    }
    unanswered.remove(id);
    return Message.tool(call.get(), parts(blocks(block, "content")));
  }

  /** A field that is a text, or a list of blocks that are. */
  private String text(Fields fields, String name) {
    return blocks(fields, name).stream()
        .map(
            block -> {
              if (!type(block).equals("text")) throw unread(block);
              return content(block);
            })
        .collect(Collectors.joining("\n"));
  }

  private static List<Fields> blocks(Fields fields, String name) {
    var content = fields.field(name);
    if (content.isEmpty()) return List.of();
    if (content.get().isString()) {
      var block = Json.object().put("type", "text").put("text", content.get().stringValue());
      return List.of(Fields.of(block, fields.path(name)));
    }
    if (!content.get().isArray()) {
      throw fields.wrong(name, content.get(), "a string, or a list of blocks");
    }
    return fields.objects(name, MOST_BLOCKS);
  }

  private static String type(Fields block) {
    block.required("type", "the kind of block it is");
    return block.text("type").orElseThrow();
  }

  private static String content(Fields block) {
    block.required("text", "a string");
    return block.text("text").orElseThrow();
  }

  private static RuntimeException unread(Fields block) {
    return switch (type(block)) {
      case "document", "search_result", "container_upload" ->
          block.unsupported("type", "this server reads texts and images, not " + type(block));
      default ->
          Fields.bad(
              block.path("type"),
              Fields.quoted(type(block)),
              "text, image, thinking, tool_use or tool_result where they belong");
    };
  }
}
