package weft.chat;

import java.util.List;
import java.util.Map;

/** Calls in the notation of Gemma 4: names without quotes, texts between control tokens. */
final class GemmaCalls implements CallSyntax {
  static final String OPEN = "<|tool_call>";
  static final String CLOSE = "<tool_call|>";
  static final String QUOTE = "<|\"|>";
  static final String CALL = "call:";

  @Override
  public List<Mark> marks() {
    return List.of(new Mark(OPEN, false));
  }

  @Override
  public CallHead begin(TextScanner text, Map<String, Tool> tools) {
    if (!text.take(OPEN) || !text.white() || !text.take(CALL)) return CallHead.none(text);
    var name = text.name();
    if (name.isEmpty() || !text.take("{")) return CallHead.none(text);
    if (!tools.containsKey(name.get())) return new CallHead.NoCall();
    return new CallHead.Begins(text.at(), "", name.get(), new GemmaBody());
  }
}
