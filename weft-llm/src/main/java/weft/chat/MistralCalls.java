package weft.chat;

import java.util.List;
import java.util.Map;

/** Calls behind Mistral's control token: a list of JSON objects, or a name and its arguments. */
final class MistralCalls implements CallSyntax {
  static final String CALLS = "[TOOL_CALLS]";
  static final String ID = "[CALL_ID]";
  static final String ARGUMENTS = "[ARGS]";

  @Override
  public List<Mark> marks() {
    return List.of(new Mark(CALLS, false));
  }

  @Override
  public CallHead begin(TextScanner text, Map<String, Tool> tools) {
    if (!text.take(CALLS) || !text.white()) return CallHead.none(text);
    if (text.take("[")) {
      text.white();
      return object(text, tools);
    }
    if (text.isAt('{')) return object(text, tools);
    var name = text.name();
    if (name.isEmpty() || !text.has()) return CallHead.none(text);
    if (!tools.containsKey(name.get())) return new CallHead.NoCall();
    var id = "";
    if (text.take(ID)) {
      id = text.name().orElse("");
      if (!text.has()) return CallHead.none(text);
    }
    text.take(ARGUMENTS);
    if (!text.white() || !text.isAt('{')) return CallHead.none(text);
    return new CallHead.Begins(text.at(), id, name.get(), JsonBody.alone(List.of()));
  }

  @Override
  public CallHead next(TextScanner text, Map<String, Tool> tools) {
    if (!text.takeBehindWhite(",") || !text.white()) return CallHead.none(text);
    return object(text, tools);
  }

  private static CallHead object(TextScanner text, Map<String, Tool> tools) {
    return new JsonHead(text, tools, JsonHead.Others.SKIPPED, List.of("]")).read();
  }
}
