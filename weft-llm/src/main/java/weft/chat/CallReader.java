package weft.chat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells the calls in an answer from what it says while it streams. What may be the beginning of a
 * call is held back until it is clear, and said if it is none; white space next to a call belongs
 * to its notation.
 */
final class CallReader {
  /** What is longer and still may be a call is taken for text. */
  private static final int LONGEST_HEAD = 1 << 16;

  private final List<CallSyntax> syntaxes;
  private final Map<String, Tool> tools;
  private final Supplier<String> ids;
  private final Consumer<Fragment> sink;
  private final StringBuilder held = new StringBuilder();
  private final StringBuilder raw = new StringBuilder();
  private Optional<CallSyntax> behind = Optional.empty();
  private Optional<CallBody> body = Optional.empty();
  private CallSyntax syntax;
  private boolean isBehindCall;
  private boolean hasEnded;
  private boolean isLineStart = true;
  private int count;

  CallReader(
      List<CallSyntax> syntaxes,
      Map<String, Tool> tools,
      Supplier<String> ids,
      Consumer<Fragment> sink) {
    this.syntaxes = syntaxes;
    this.tools = tools;
    this.ids = ids;
    this.sink = sink;
    this.syntax = syntaxes.getFirst();
  }

  void add(String text) {
    held.append(text);
    read(false);
  }

  void end() {
    read(true);
    boolean isBlank = held.chars().allMatch(Character::isWhitespace);
    if (body.isEmpty() && !(isBehindCall && isBlank)) say(held.length());
  }

  /** The call that is being read, or was the last, as the model writes it. */
  String raw() {
    return raw.toString();
  }

  private void read(boolean isOver) {
    boolean isMoving = true;
    while (isMoving) {
      isMoving =
          body.isPresent()
              ? readBody(body.get(), isOver)
              : behind.isPresent() ? readBehind(behind.get(), isOver) : readText(isOver);
    }
  }

  private boolean readBody(CallBody reading, boolean isOver) {
    var json = new StringBuilder();
    int used = reading.read(held, isOver, json);
    raw.append(held, 0, used);
    held.delete(0, used);
    if (!json.isEmpty()) sink.accept(new Fragment.Arguments(count - 1, json.toString()));
    if (reading.hasArguments() && !hasEnded) {
      hasEnded = true;
      sink.accept(new Fragment.CallEnds(count - 1));
    }
    if (!reading.isClosed()) return false;
    body = Optional.empty();
    behind = hasEnded ? Optional.of(syntax) : Optional.empty();
    isBehindCall = true;
    isLineStart = true;
    return true;
  }

  /** Another call may follow without a mark. */
  private boolean readBehind(CallSyntax last, boolean isOver) {
    var head = last.next(new TextScanner(held, isOver), tools);
    if (head instanceof CallHead.Open && held.length() <= LONGEST_HEAD) return false;
    behind = Optional.empty();
    if (head instanceof CallHead.Begins call) begin(call, 0);
    return true;
  }

  private boolean readText(boolean isOver) {
    for (int at = 0; at < held.length(); at++) {
      switch (head(at, isOver)) {
        case CallHead.NoCall _ -> {}
        case CallHead.Open _ -> {
          if (held.length() - at > LONGEST_HEAD) continue;
          say(withoutWhite(at));
          return false;
        }
        case CallHead.Begins call -> {
          int said = withoutWhite(at);
          say(said);
          begin(call, at - said);
          return true;
        }
      }
    }
    say(withoutWhite(held.length()));
    return false;
  }

  /** What a text is from here on, by all that know its mark. */
  private CallHead head(int at, boolean isOver) {
    CallHead best = new CallHead.NoCall();
    for (var each : syntaxes) {
      for (var mark : each.marks()) {
        if (held.charAt(at) != mark.text().charAt(0)) continue;
        if (mark.atLineStart() && !isLineStart(at)) continue;
        var text = new TextScanner(held.substring(at), isOver);
        var head = text.take(mark.text()) ? begin(each, at, isOver) : CallHead.none(text);
        if (head instanceof CallHead.Begins) {
          syntax = each;
          return head;
        }
        if (head instanceof CallHead.Open) best = head;
      }
    }
    return best;
  }

  private CallHead begin(CallSyntax each, int at, boolean isOver) {
    return each.begin(new TextScanner(held.substring(at), isOver), tools);
  }

  private boolean isLineStart(int at) {
    for (int i = at - 1; i >= 0; i--) {
      char c = held.charAt(i);
      if (c == '\n') return true;
      if (!Character.isWhitespace(c)) return false;
    }
    return isLineStart;
  }

  private void begin(CallHead.Begins call, int at) {
    raw.setLength(0);
    raw.append(held, at, at + call.length());
    held.delete(0, at + call.length());
    hasEnded = false;
    body = Optional.of(call.body());
    var id = call.id().isEmpty() ? ids.get() : call.id();
    sink.accept(new Fragment.CallBegins(count++, id, call.name()));
  }

  private int withoutWhite(int length) {
    int to = length;
    while (to > 0 && Character.isWhitespace(held.charAt(to - 1))) to--;
    return to;
  }

  private void say(int length) {
    if (length == 0) return;
    sink.accept(new Fragment.Said(held.substring(0, length)));
    isLineStart = isLineStart(length);
    isBehindCall = false;
    held.delete(0, length);
  }
}
