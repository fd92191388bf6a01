package weft.chat;

import java.util.List;

/** The rest of a call that is a JSON object: its arguments as they are, and what may close it. */
final class JsonBody implements CallBody {
  private enum State {
    VALUE,
    MEMBERS,
    CLOSING,
    CLOSED
  }

  private final JsonSpan span = new JsonSpan();
  private final List<String> closings;
  private String ready;
  private boolean isObjectOpen;
  private State state;
  private int closed;

  private JsonBody(String ready, boolean isObjectOpen, List<String> closings, State state) {
    this.ready = ready;
    this.isObjectOpen = isObjectOpen;
    this.closings = closings;
    this.state = state;
  }

  /**
   * Arguments that begin here, within an object that says more; then the closings, each if it is
   * there.
   */
  static JsonBody member(List<String> closings) {
    return new JsonBody("", true, closings, State.VALUE);
  }

  /** Arguments that begin here and are all there is. */
  static JsonBody alone(List<String> closings) {
    return new JsonBody("", false, closings, State.VALUE);
  }

  /** Arguments that were read with the head. */
  static JsonBody ready(String json, List<String> closings) {
    return new JsonBody(json, false, closings, State.MEMBERS);
  }

  /** Arguments that were read with the head, within an object that is still open. */
  static JsonBody readyMember(String json, List<String> closings) {
    return new JsonBody(json, true, closings, State.MEMBERS);
  }

  @Override
  public int read(CharSequence text, boolean isOver, StringBuilder json) {
    json.append(ready);
    ready = "";
    int used = state == State.VALUE ? value(text, json) : 0;
    if (state == State.VALUE) return used;
    var scanner = new TextScanner(text, isOver);
    scanner.to(used);
    if (state == State.MEMBERS) members(scanner);
    if (state == State.CLOSING) close(scanner);
    return scanner.at();
  }

  private int value(CharSequence text, StringBuilder json) {
    int used = 0;
    while (used < text.length() && span.takes(text.charAt(used))) {
      char c = text.charAt(used++);
      // Models break lines within texts, which JSON does not.
      if (span.isText() && c < ' ') {
        json.append(JsonValues.escaped(c));
      } else {
        json.append(c);
      }
    }
    if (span.isComplete()) state = State.MEMBERS;
    return used;
  }

  /** What else the object says does not matter; where it says it wrongly, the call is over. */
  private void members(TextScanner scanner) {
    int start = scanner.at();
    while (isObjectOpen) {
      if (scanner.takeBehindWhite("}")) {
        isObjectOpen = false;
        start = scanner.at();
      } else if (!member(scanner)) {
        scanner.to(start);
        if (scanner.wantsMore()) return;
        break;
      }
    }
    state = State.CLOSING;
  }

  private static boolean member(TextScanner scanner) {
    return scanner.takeBehindWhite(",")
        && scanner.white()
        && scanner.string().isPresent()
        && scanner.takeBehindWhite(":")
        && scanner.white()
        && scanner.value();
  }

  private void close(TextScanner scanner) {
    for (; closed < closings.size(); closed++) {
      if (!scanner.takeBehindWhite(closings.get(closed)) && scanner.wantsMore()) return;
    }
    state = State.CLOSED;
  }

  @Override
  public boolean hasArguments() {
    return state != State.VALUE && ready.isEmpty();
  }

  @Override
  public boolean isClosed() {
    return state == State.CLOSED;
  }
}
