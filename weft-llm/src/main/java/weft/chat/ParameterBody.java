package weft.chat;

import java.util.List;

/**
 * The rest of a call whose arguments are tags, as Qwen3-Coder writes them. They become JSON by the
 * types that the tool's schema gives them: texts as they come, all else when it is whole.
 */
final class ParameterBody implements CallBody {
  private static final String PARAMETER = "<parameter=";
  private static final String END_OF_VALUE = "</parameter>";
  private static final String END = "</function>";

  /** What ends a value; some models forget its own tag, and begin a line with the next one. */
  private static final List<String> ENDS = List.of(END_OF_VALUE, "\n" + PARAMETER, "\n" + END);

  private static final int MORE = -1;

  private enum State {
    PARAMETERS,
    FIRST_LINE,
    TEXT,
    VALUE,
    CLOSING,
    CLOSED
  }

  private final Tool tool;
  private State state = State.PARAMETERS;
  private ParameterType type = ParameterType.ANY;
  private int count;
  private boolean isWhole;

  ParameterBody(Tool tool) {
    this.tool = tool;
  }

  @Override
  public int read(CharSequence text, boolean isOver, StringBuilder json) {
    int used = 0;
    while (state != State.CLOSED) {
      int step = step(text.subSequence(used, text.length()), isOver, json);
      if (step == MORE) break;
      used += step;
    }
    return used;
  }

  private int step(CharSequence text, boolean isOver, StringBuilder json) {
    return switch (state) {
      case PARAMETERS -> parameter(new TextScanner(text, isOver), json);
      case FIRST_LINE -> firstLine(text, isOver);
      case TEXT -> text(text, isOver, json);
      case VALUE -> value(text, isOver, json);
      case CLOSING, CLOSED -> close(new TextScanner(text, isOver));
    };
  }

  private int parameter(TextScanner text, StringBuilder json) {
    text.white();
    if (text.take(END)) {
      json.append(count == 0 ? "{}" : "}");
      isWhole = true;
      state = State.CLOSING;
      return text.at();
    }
    if (!text.take(PARAMETER)) return moreOrStop(text);
    var name = text.until(">").map(String::strip);
    if (name.isEmpty()) return moreOrStop(text);
    json.append(count++ == 0 ? "{" : ", ").append(JsonValues.text(name.get())).append(": ");
    type = ParameterType.of(tool, name.get());
    state = type == ParameterType.TEXT ? State.FIRST_LINE : State.VALUE;
    if (type == ParameterType.TEXT) json.append('"');
    return text.at();
  }

  /** What cannot be read ends the call where it is. */
  private int moreOrStop(TextScanner text) {
    if (text.wantsMore()) return MORE;
    state = State.CLOSED;
    return 0;
  }

  /** The value begins on the line behind the tag. */
  private int firstLine(CharSequence text, boolean isOver) {
    if (text.isEmpty() && !isOver) return MORE;
    state = State.TEXT;
    return !text.isEmpty() && text.charAt(0) == '\n' ? 1 : 0;
  }

  private int text(CharSequence text, boolean isOver, StringBuilder json) {
    int end = end(text);
    if (end >= 0) {
      boolean isOnItsLine = end > 0 && text.charAt(end - 1) == '\n';
      append(text, isOnItsLine ? end - 1 : end, json);
      json.append('"');
      return leave(text, end);
    }
    int certain = isOver ? text.length() : certain(text);
    append(text, certain, json);
    if (isOver) state = State.CLOSED;
    return certain > 0 || isOver ? certain : MORE;
  }

  private static void append(CharSequence text, int to, StringBuilder json) {
    for (int i = 0; i < to; i++) json.append(JsonValues.escaped(text.charAt(i)));
  }

  private int value(CharSequence text, boolean isOver, StringBuilder json) {
    int end = end(text);
    if (end < 0) {
      if (isOver) state = State.CLOSED;
      return isOver ? 0 : MORE;
    }
    json.append(type.json(text.subSequence(0, end).toString()));
    return leave(text, end);
  }

  private int leave(CharSequence text, int end) {
    state = State.PARAMETERS;
    var rest = new TextScanner(text, true);
    rest.to(end);
    rest.take(END_OF_VALUE);
    return rest.at();
  }

  private static int end(CharSequence text) {
    var all = text.toString();
    return ENDS.stream().mapToInt(all::indexOf).filter(at -> at >= 0).min().orElse(-1);
  }

  /** How much of a text is no part of what may end it. */
  private static int certain(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != '\n' && text.charAt(i) != '<') continue;
      var rest = text.subSequence(i, text.length()).toString();
      boolean isHeld =
          ENDS.stream().anyMatch(end -> end.startsWith(rest) || ("\n" + end).startsWith(rest));
      if (isHeld) return i;
    }
    return text.length();
  }

  private int close(TextScanner text) {
    if (!text.takeBehindWhite(TaggedCalls.CLOSE) && text.wantsMore()) return MORE;
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
