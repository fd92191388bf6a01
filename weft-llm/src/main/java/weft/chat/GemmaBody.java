package weft.chat;

import java.util.ArrayDeque;
import java.util.Deque;

/** The rest of a call in Gemma's notation, which becomes JSON as it comes. */
final class GemmaBody implements CallBody {
  private static final int MORE = -1;

  private enum State {
    FIRST,
    NAME,
    VALUE,
    TEXT,
    BEHIND,
    CLOSING,
    CLOSED
  }

  private final Deque<Character> open = new ArrayDeque<>();
  private State state = State.FIRST;
  private boolean isBegun;
  private boolean isWhole;

  GemmaBody() {
    open.push('}');
  }

  @Override
  public int read(CharSequence text, boolean isOver, StringBuilder json) {
    if (!isBegun) json.append('{');
    isBegun = true;
    int used = 0;
    while (state != State.CLOSED) {
      var rest = text.subSequence(used, text.length());
      int step = step(rest, new TextScanner(rest, isOver), json);
      if (step == MORE) break;
      used += step;
    }
    return used;
  }

  private int step(CharSequence rest, TextScanner text, StringBuilder json) {
    return switch (state) {
      case FIRST -> first(text, json);
      case NAME -> name(rest, text, json);
      case VALUE -> value(rest, text, json);
      case TEXT -> text(rest, text, json);
      case BEHIND -> behind(text, json);
      case CLOSING, CLOSED -> close(text);
    };
  }

  private int moreOrStop(TextScanner text) {
    if (text.wantsMore()) return MORE;
    state = State.CLOSED;
    return 0;
  }

  /** The first thing within brackets, or their end. */
  private int first(TextScanner text, StringBuilder json) {
    if (!text.white()) return moreOrStop(text);
    if (text.isAt(open.getFirst())) return behind(text, json);
    state = open.getFirst() == '}' ? State.NAME : State.VALUE;
    return text.at();
  }

  private int name(CharSequence rest, TextScanner text, StringBuilder json) {
    int end = rest.toString().indexOf(':');
    if (end < 0) {
      text.to(rest.length());
      text.has();
      return moreOrStop(text);
    }
    var name = rest.subSequence(0, end).toString().replace(GemmaCalls.QUOTE, "").strip();
    json.append(JsonValues.text(name)).append(": ");
    state = State.VALUE;
    return end + 1;
  }

  private int value(CharSequence rest, TextScanner text, StringBuilder json) {
    if (!text.white()) return moreOrStop(text);
    if (text.take(GemmaCalls.QUOTE)) {
      json.append('"');
      state = State.TEXT;
      return text.at();
    }
    if (text.wantsMore()) return MORE;
    if (text.isAt('{') || text.isAt('[')) {
      boolean isMap = text.isAt('{');
      open.push(isMap ? '}' : ']');
      json.append(isMap ? '{' : '[');
      state = State.FIRST;
      return text.at() + 1;
    }
    int end = text.at();
    while (end < rest.length() && ",}]".indexOf(rest.charAt(end)) < 0) end++;
    text.to(end);
    if (!text.has()) return moreOrStop(text);
    json.append(ParameterType.ANY.json(rest.subSequence(0, end).toString()));
    state = State.BEHIND;
    return end;
  }

  private int text(CharSequence rest, TextScanner text, StringBuilder json) {
    int end = 0;
    while (end < rest.length()) {
      text.to(end);
      if (text.take(GemmaCalls.QUOTE)) {
        append(rest, end, json);
        json.append('"');
        state = State.BEHIND;
        return text.at();
      }
      if (text.wantsMore()) break; // may be the beginning of a quote
      end++;
    }
    append(rest, end, json);
    if (end > 0) return end;
    text.to(rest.length());
    text.has();
    return moreOrStop(text);
  }

  private static void append(CharSequence text, int to, StringBuilder json) {
    for (int i = 0; i < to; i++) json.append(JsonValues.escaped(text.charAt(i)));
  }

  private int behind(TextScanner text, StringBuilder json) {
    if (!text.white()) return moreOrStop(text);
    if (text.take(",")) {
      json.append(", ");
      state = open.getFirst() == '}' ? State.NAME : State.VALUE;
      return text.at();
    }
    char close = open.getFirst();
    if (!text.take(String.valueOf(close))) return moreOrStop(text);
    json.append(close);
    open.pop();
    isWhole = open.isEmpty();
    state = isWhole ? State.CLOSING : State.BEHIND;
    return text.at();
  }

  private int close(TextScanner text) {
    if (!text.takeBehindWhite(GemmaCalls.CLOSE) && text.wantsMore()) return MORE;
    state = State.CLOSED;
    return text.at();
  }

  @Override
  public boolean hasArguments() {
    return isWhole;
  }

  @Override
  public boolean isClosed() {
    return state == State.CLOSED;
  }
}
