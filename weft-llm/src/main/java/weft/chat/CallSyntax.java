package weft.chat;

import java.util.List;
import java.util.Map;

/** One way to write a call of a tool. */
interface CallSyntax {
  /**
   * What a call begins with.
   *
   * @param atLineStart whether it is a mark only where a line begins
   */
  record Mark(String text, boolean atLineStart) {}

  List<Mark> marks();

  /** Reads a text that begins with a mark; the tools by their names. */
  CallHead begin(TextScanner text, Map<String, Tool> tools);

  /** Reads what follows a call, where another may follow without a mark. */
  default CallHead next(TextScanner text, Map<String, Tool> tools) {
    return new CallHead.NoCall();
  }
}
