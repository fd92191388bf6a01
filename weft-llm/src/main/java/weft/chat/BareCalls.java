package weft.chat;

import java.util.List;
import java.util.Map;

/**
 * Calls that are JSON objects where a line begins, as Llama 3 writes them and as Weft teaches them;
 * in a list or a fence, too, since models like both.
 */
final class BareCalls implements CallSyntax {
  static final String PYTHON = "<|python_tag|>";
  static final String FENCE = "```";
  private static final List<String> LANGUAGES = List.of("json", "tool_call", "tool_code");

  @Override
  public List<Mark> marks() {
    return List.of(
        new Mark(PYTHON, false), new Mark("{", true), new Mark("[", true), new Mark(FENCE, true));
  }

  @Override
  public CallHead begin(TextScanner text, Map<String, Tool> tools) {
    text.take(PYTHON);
    if (!text.white()) return CallHead.none(text);
    boolean isFenced = text.take(FENCE);
    if (isFenced) {
      for (var language : LANGUAGES) {
        if (text.take(language)) break;
      }
    }
    text.white();
    boolean isList = text.take("[");
    text.white();
    if (!text.has()) return CallHead.none(text);
    var closings =
        isList
            ? isFenced ? List.of("]", FENCE) : List.of("]")
            : isFenced ? List.of(FENCE) : List.<String>of();
    return new JsonHead(text, tools, JsonHead.Others.REFUSED, closings).read();
  }

  @Override
  public CallHead next(TextScanner text, Map<String, Tool> tools) {
    if (!text.white()) return CallHead.none(text);
    if (text.take(",") || text.take(";")) text.white();
    if (!text.has()) return CallHead.none(text);
    return new JsonHead(text, tools, JsonHead.Others.REFUSED, List.of("]", FENCE)).read();
  }
}
