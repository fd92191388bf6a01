package weft.cli.chat;

import java.util.function.BiConsumer;

/**
 * Tells the thinking in a reply from its answer while it streams. What may be the beginning of a
 * tag is held back until it is clear.
 */
final class Thinking {
  private static final String OPEN = "<think>";
  private static final String CLOSE = "</think>";

  private final BiConsumer<ReplyPart, String> sink;
  private final StringBuilder held = new StringBuilder();
  private ReplyPart part;

  private Thinking(ReplyPart first, BiConsumer<ReplyPart, String> sink) {
    this.part = first;
    this.sink = sink;
  }

  /** A reply to a prompt, which may end with an opened thought. */
  static Thinking after(String prompt, BiConsumer<ReplyPart, String> sink) {
    boolean isOpened = prompt.stripTrailing().endsWith(OPEN);
    return new Thinking(isOpened ? ReplyPart.THOUGHT : ReplyPart.ANSWER, sink);
  }

  void add(String text) {
    held.append(text);
    while (true) {
      var tag = part == ReplyPart.THOUGHT ? CLOSE : OPEN;
      int at = held.indexOf(tag);
      if (at < 0) {
        emit(held.length() - partialTag(tag));
        return;
      }
      // The tag belongs to the thought it opens or closes.
      if (part == ReplyPart.THOUGHT) {
        emit(at + tag.length());
        part = ReplyPart.ANSWER;
      } else {
        emit(at);
        part = ReplyPart.THOUGHT;
        emit(tag.length());
      }
    }
  }

  void end() {
    emit(held.length());
  }

  private int partialTag(String tag) {
    for (int length = Math.min(tag.length() - 1, held.length()); length > 0; length--) {
      if (tag.startsWith(held.substring(held.length() - length))) return length;
    }
    return 0;
  }

  private void emit(int length) {
    if (length > 0) sink.accept(part, held.substring(0, length));
    held.delete(0, length);
  }
}
