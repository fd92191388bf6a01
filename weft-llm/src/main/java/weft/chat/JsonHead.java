package weft.chat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The beginning of a JSON object that calls a tool: its name, and where its arguments begin. */
final class JsonHead {
  /** Whether an object may say more than a call does. */
  enum Others {
    SKIPPED,
    REFUSED
  }

  private final TextScanner text;
  private final Map<String, Tool> tools;
  private final Others others;
  private final List<String> closings;
  private String name = "";
  private String id = "";
  private Optional<String> arguments = Optional.empty();

  JsonHead(TextScanner text, Map<String, Tool> tools, Others others, List<String> closings) {
    this.text = text;
    this.tools = tools;
    this.others = others;
    this.closings = closings;
  }

  CallHead read() {
    if (!text.take("{")) return CallHead.none(text);
    while (true) {
      if (!text.white()) return CallHead.none(text);
      var key = text.string();
      if (key.isEmpty() || !text.takeBehindWhite(":") || !text.white()) return CallHead.none(text);
      if (isArguments(key.get()) && !name.isEmpty() && text.isAt('{')) {
        return begins(JsonBody.member(closings));
      }
      if (!member(key.get())) return CallHead.none(text);
      if (text.takeBehindWhite("}")) return closed();
      if (!text.takeBehindWhite(",")) return CallHead.none(text);
      if (!name.isEmpty() && arguments.isPresent()) {
        text.to(text.at() - 1);
        return begins(JsonBody.readyMember(arguments.get(), closings));
      }
    }
  }

  private static boolean isArguments(String key) {
    return key.equals("arguments") || key.equals("parameters");
  }

  /** Reads a member's value; false where the object cannot be a call. */
  private boolean member(String key) {
    int start = text.at();
    switch (key) {
      // Small models write the tool's name as the function.
      case "name", "function" -> {
        var said = text.string();
        if (said.isEmpty() || !tools.containsKey(said.get())) return false;
        name = said.get();
        return true;
      }
      case "arguments", "parameters" -> {
        if (!text.value()) return false;
        arguments = object(text.from(start));
        return arguments.isPresent();
      }
      case "id" -> {
        var said = text.string();
        said.ifPresent(each -> id = each);
        return said.isPresent();
      }
      default -> {
        return (others == Others.SKIPPED || key.equals("type")) && text.value();
      }
    }
  }

  /** Some write the object as a text, and nothing as null. */
  private static Optional<String> object(String json) {
    if (json.equals("null")) return Optional.of("{}");
    if (json.startsWith("{")) return Optional.of(json);
    return JsonValues.string(json).filter(inner -> JsonValues.object(inner).isPresent());
  }

  private CallHead closed() {
    // A bare object with nothing but a name may be an answer.
    boolean isCall = arguments.isPresent() || others == Others.SKIPPED;
    if (name.isEmpty() || !isCall) return new CallHead.NoCall();
    return begins(JsonBody.ready(arguments.orElse("{}"), closings));
  }

  private CallHead begins(CallBody body) {
    return new CallHead.Begins(text.at(), id, name, body);
  }
}
