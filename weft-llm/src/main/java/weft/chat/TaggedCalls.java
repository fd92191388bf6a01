package weft.chat;

import java.util.List;
import java.util.Map;

/** Calls between tags, as Hermes and Qwen write them: a JSON object, or a function's parameters. */
final class TaggedCalls implements CallSyntax {
  static final String OPEN = "<tool_call>";
  static final String CLOSE = "</tool_call>";
  static final String FUNCTION = "<function=";

  @Override
  public List<Mark> marks() {
    // Some models leave out the outer tag.
    return List.of(new Mark(OPEN, false), new Mark(FUNCTION, false));
  }

  @Override
  public CallHead begin(TextScanner text, Map<String, Tool> tools) {
    if (text.take(OPEN) && !text.white()) return CallHead.none(text);
    if (text.isAt('{')) {
      return new JsonHead(text, tools, JsonHead.Others.SKIPPED, List.of(CLOSE)).read();
    }
    if (!text.take(FUNCTION)) return CallHead.none(text);
    var name = text.until(">").map(String::strip);
    if (name.isEmpty()) return CallHead.none(text);
    var tool = tools.get(name.get());
    if (tool == null) return new CallHead.NoCall();
    return new CallHead.Begins(text.at(), "", tool.name(), new ParameterBody(tool));
  }
}
