package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import weft.chat.Fragment.Kind;

/**
 * Tells the thinking in a reply from its answer while it streams. What may be the beginning of a
 * tag is held back until it is clear.
 */
final class Thinking {
  static final String OPEN = "<think>";
  private static final String CLOSE = "</think>";

  private final Consumer<Fragment> sink;
  private final StringBuilder held = new StringBuilder();
  private Kind kind;

  private Thinking(Kind first, Consumer<Fragment> sink) {
    this.kind = first;
    this.sink = sink;
  }

  /** A reply to a prompt, which may end with an opened thought. */
  static Thinking after(String prompt, Consumer<Fragment> sink) {
    return new Thinking(isOpenedBy(prompt) ? Kind.THOUGHT : Kind.ANSWER, sink);
  }

  static boolean isOpenedBy(String prompt) {
    return prompt.stripTrailing().endsWith(OPEN);
  }

  static String tagged(String thought) {
    return OPEN + thought + CLOSE;
  }

  /** A whole text as parts, which together are the text again. */
  static List<Part> parts(String text) {
    var parts = new ArrayList<Part>();
    int from = 0;
    for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, from)) {
      int close = text.indexOf(CLOSE, open);
      if (close < 0) break;
      if (open > from) parts.add(new Part.Text(text.substring(from, open)));
      parts.add(new Part.Thought(text.substring(open + OPEN.length(), close)));
      from = close + CLOSE.length();
    }
    if (from < text.length() || parts.isEmpty()) parts.add(new Part.Text(text.substring(from)));
    return parts;
  }

  void add(String text) {
    held.append(text);
    while (true) {
      boolean isThought = kind == Kind.THOUGHT;
      var tag = isThought ? CLOSE : OPEN;
      int at = held.indexOf(tag);
      if (at < 0) {
        emit(kind, held.length() - partialTag(tag));
        return;
      }
      emit(kind, at);
      emit(Kind.TAG, tag.length());
      kind = isThought ? Kind.ANSWER : Kind.THOUGHT;
    }
  }

  void end() {
    emit(kind, held.length());
  }

  private int partialTag(String tag) {
    for (int length = Math.min(tag.length() - 1, held.length()); length > 0; length--) {
      if (tag.startsWith(held.substring(held.length() - length))) return length;
    }
    return 0;
  }

  private void emit(Kind of, int length) {
    if (length > 0) sink.accept(new Fragment(of, held.substring(0, length)));
    held.delete(0, length);
  }
}
