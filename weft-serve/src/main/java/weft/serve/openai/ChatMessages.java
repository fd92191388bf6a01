package weft.serve.openai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.chat.Message;
import weft.chat.Part;
import weft.serve.ask.Images;
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

  private static final String TYPES = "text, image_url or video_url";
  private static final double SLOWEST = 0.01;
  private static final double FASTEST = 240;

  private final Map<String, Part.Call> calls = new HashMap<>();
  private final Set<String> unanswered = new LinkedHashSet<>();
  private final Images images;

  private ChatMessages(Images images) {
    this.images = images;
  }

  static List<Message> read(Fields body, Images images) {
    body.required("messages", "a list of messages");
    var given = body.objects("messages", MOST_MESSAGES);
    if (given.isEmpty()) {
      throw Fields.bad("messages", "an empty list", "a list of at least one message");
    }
    var reader = new ChatMessages(images);
    var messages = given.stream().map(reader::message).toList();
    reader.requireAnswered("messages");
    return messages;
  }

  private Message message(Fields message) {
    message.required("role", "one of " + ROLES);
    var role = message.word("role", ROLES).orElseThrow();
    message.text("name");
    if (!role.equals("tool")) requireAnswered(message.path());
    return switch (role) {
      case "system", "developer" -> Message.system(text(message, true));
      case "user" -> Message.of(Message.USER, parts(message, true, images).toArray(Part[]::new));
      case "assistant" -> assistant(message);
      default -> result(message, role);
    };
  }

  /** Behind calls come their results, and nothing else. */
  private void requireAnswered(String path) {
    if (unanswered.isEmpty()) return;
    throw Fields.bad(
        path,
        "none for " + Fields.quoted(unanswered.iterator().next()),
        "a 'tool' message for each of the 'tool_calls' before");
  }

  private Message assistant(Fields message) {
    var parts = new ArrayList<Part>();
    var thought = message.text("reasoning_content").orElse("");
    if (!thought.isEmpty()) parts.add(new Part.Thought(thought));
    var called = message.objects("tool_calls", MOST_CALLS);
    var refusal = message.text("refusal").orElse("");
    var text = text(message, called.isEmpty() && refusal.isEmpty());
    if (text.isEmpty()) text = refusal;
    if (!text.isEmpty()) parts.addAll(Message.assistant(text).parts());
    for (var call : called) parts.add(call(call));
    return Message.of(Message.ASSISTANT, parts.toArray(Part[]::new));
  }

  private Part.Call call(Fields call) {
    call.required("id", "a string by which the result names the call");
    call.word("type", List.of("function"));
    call.required("function", "an object with a name and arguments");
    var function = call.object("function").orElseThrow();
    function.required("name", "the name of a tool");
    var path = function.path("arguments");
    var json = function.text("arguments").filter(text -> !text.isBlank()).orElse("{}");
    var made =
        Part.Call.of(call.text("id").orElse(""), function.text("name").orElseThrow(), json)
            .orElseThrow(() -> Fields.bad(path, "other text", "a JSON object as text"));
    calls.put(made.id(), made);
    unanswered.add(made.id());
    return made;
  }

  private Message result(Fields message, String role) {
    var id = message.text("tool_call_id").orElse("");
    var name = message.text("name").orElse("");
    if (role.equals("tool")) {
      message.required("tool_call_id", "the id of a call");
      if (!calls.containsKey(id)) {
        throw Fields.bad(
            message.path("tool_call_id"),
            Fields.quoted(id),
            "the id of one of the 'tool_calls' of a message before");
      }
    }
    unanswered.remove(id);
    var call = calls.getOrDefault(id, new Part.Call(id, name, Map.of()));
    return Message.tool(call, parts(message, true, images));
  }

  /** The content as text: a string, or a list of parts that are. */
  private String text(Fields message, boolean isRequired) {
    return text(message, parts(message, isRequired, images));
  }

  /** The text of parts among which no image may be. */
  static String text(Fields message, List<Part> parts) {
    var text = new StringBuilder();
    for (var part : parts) {
      if (!(part instanceof Part.Text(var said))) {
        throw Fields.bad(
            message.path("content"),
            part instanceof Part.Video ? "a video" : "an image",
            "text: what is shown is the user's or a tool's");
      }
      text.append(said);
    }
    return text.toString();
  }

  /** The content: a string, or a list of texts and images; texts in a row are one. */
  static List<Part> parts(Fields message, boolean isRequired, Images images) {
    var content = message.field("content");
    if (content.isEmpty()) {
      if (isRequired) message.required("content", "a string, or a list of parts");
      return List.of(new Part.Text(""));
    }
    if (content.get().isString()) return List.of(new Part.Text(content.get().stringValue()));
    if (!content.get().isArray()) {
      throw message.wrong("content", content.get(), "a string, or a list of parts");
    }
    if (content.get().isEmpty()) {
      throw Fields.bad(message.path("content"), "an empty list", "at least one part");
    }
    var parts = new ArrayList<Part>();
    var text = new StringBuilder();
    for (var part : message.objects("content", MOST_PARTS)) {
      part.required("type", TYPES);
      var type = part.text("type").orElseThrow();
      switch (type) {
        case "text", "input_text", "output_text" -> {
          part.required("text", "a string");
          text.append(part.text("text").orElseThrow());
        }
        case "refusal" -> text.append(part.text("refusal").orElse(""));
        case "image_url", "input_image", "video_url", "video" -> {
          if (!text.isEmpty()) parts.add(new Part.Text(text.toString()));
          text.setLength(0);
          parts.add(type.startsWith("video") ? video(part, type, images) : image(part, images));
        }
        case "input_audio", "file", "input_file" ->
            throw part.unsupported(
                "type", "this server reads texts, images and videos, not " + type);
        default -> throw Fields.bad(part.path("type"), Fields.quoted(type), TYPES);
      }
    }
    if (!text.isEmpty() || parts.isEmpty()) parts.add(new Part.Text(text.toString()));
    return parts;
  }

  /** By its URL, in an object or not; how closely it is looked at is the model's to say. */
  private static Part.Image image(Fields part, Images images) {
    if (part.has("file_id")) throw part.unsupported("file_id", "this server keeps no files");
    var given = part.required("image_url", "the URL of an image");
    part.text("detail");
    if (given.isString()) return images.url(part.path("image_url"), given.stringValue());
    var within = part.object("image_url").orElseThrow();
    within.required("url", "the URL of an image");
    within.text("detail");
    return images.url(within.path("url"), within.text("url").orElseThrow());
  }

  /** By the URL of a file that moves, or by one for each of its frames, so many a second. */
  private static Part.Video video(Fields part, String type, Images images) {
    var given = part.required(type, "the URL of a video, or a list of its frames' URLs");
    var within = given.isObject() ? part.object(type).orElseThrow() : part;
    double perSecond = part.number("fps", SLOWEST, FASTEST).orElse(Part.Video.USUAL_PER_SECOND);
    if (given.isArray()) {
      return images.video(part.path(type), part.texts(type, Images.MOST_FRAMES), perSecond);
    }
    if (given.isString()) return images.video(part.path(type), given.stringValue(), perSecond);
    within.required("url", "the URL of a video");
    return images.video(within.path("url"), within.text("url").orElseThrow(), perSecond);
  }
}
