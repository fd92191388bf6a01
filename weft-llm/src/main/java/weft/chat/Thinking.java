package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells the thinking in a reply from its answer while it streams. What may be the beginning of a
 * tag is held back until it is clear; white space next to a tag is part of it.
 */
final class Thinking {
  private static final String OPEN = ThoughtTags.USUAL.open();
  private static final String CLOSE = ThoughtTags.USUAL.close();

  private final ThoughtTags tags;
  private final Consumer<Fragment> sink;
  private final StringBuilder held = new StringBuilder();
  private boolean isThought;
  private boolean isBehindTag;

  private Thinking(ThoughtTags tags, boolean isThought, Consumer<Fragment> sink) {
    this.tags = tags;
    this.isThought = isThought;
    this.sink = sink;
  }

  /** A reply to a prompt, which may end with an opened thought. */
  static Thinking after(String prompt, ThoughtTags tags, Consumer<Fragment> sink) {
    return new Thinking(tags, isOpenedBy(prompt, tags), sink);
  }

  static boolean isOpenedBy(String prompt, ThoughtTags tags) {
    return prompt.stripTrailing().endsWith(tags.open().stripTrailing());
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
      var tag = isThought ? tags.close() : tags.open();
      int at = held.indexOf(tag);
      if (at < 0) {
        emit(held.length() - partialTag(tag), isThought);
        return;
      }
      emit(at, isThought);
      tag(held.indexOf(tag)); // white space before it
      tag(tag.length());
      isThought = !isThought;
      isBehindTag = true;
    }
  }

  void end() {
    emit(held.length(), false);
  }

  private int partialTag(String tag) {
    for (int length = Math.min(tag.length() - 1, held.length()); length > 0; length--) {
      if (tag.startsWith(held.substring(held.length() - length))) return length;
    }
    return 0;
  }

  /** {@code isHeld} keeps white space at the end, since a tag may follow. */
  private void emit(int length, boolean isHeld) {
    int from = 0;
    if (isBehindTag) {
      while (from < length && Character.isWhitespace(held.charAt(from))) from++;
      isBehindTag = from == length;
      tag(from);
    }
    int to = length - from;
    while (isHeld && to > 0 && Character.isWhitespace(held.charAt(to - 1))) to--;
    if (to == 0) return;
    var text = held.substring(0, to);
    sink.accept(isThought ? new Fragment.Thought(text) : new Fragment.Said(text));
    held.delete(0, to);
  }

  private void tag(int length) {
    if (length > 0) sink.accept(new Fragment.Tag(held.substring(0, length)));
    held.delete(0, length);
  }
}
