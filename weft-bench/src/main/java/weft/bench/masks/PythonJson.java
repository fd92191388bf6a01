package weft.bench.masks;

import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * JSON as Python's {@code json.dumps(data, ensure_ascii=False)} writes it, numbers as they were.
 */
final class PythonJson {
  private final JsonParser parser;
  private final StringBuilder out = new StringBuilder();

  /** Whether each list and object that is open has something in it. */
  private final Deque<Boolean> open = new ArrayDeque<>();

  private PythonJson(JsonParser parser) {
    this.parser = parser;
  }

  /** The value that a parser is at; it is left at the value's last token. */
  static String write(JsonParser parser) {
    var json = new PythonJson(parser);
    json.value(parser.currentToken());
    return json.out.toString();
  }

  private void value(JsonToken token) {
    switch (token) {
      case START_OBJECT -> {
        begin('{');
        for (var next = parser.nextToken();
            next != JsonToken.END_OBJECT;
            next = parser.nextToken()) {
          separate();
          text(parser.getString());
          out.append(": ");
          value(parser.nextToken());
        }
        end('}');
      }
      case START_ARRAY -> {
        begin('[');
        for (var next = parser.nextToken();
            next != JsonToken.END_ARRAY;
            next = parser.nextToken()) {
          separate();
          value(next);
        }
        end(']');
      }
      case VALUE_STRING -> text(parser.getString());
      default -> out.append(parser.getString());
    }
  }

  private void begin(char bracket) {
    out.append(bracket);
    open.push(false);
  }

  private void end(char bracket) {
    out.append(bracket);
    open.pop();
  }

  private void separate() {
    if (open.pop()) out.append(", ");
    open.push(true);
  }

  private void text(String text) {
    out.append('"');
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> out.append(c < ' ' ? "\\u%04x".formatted((int) c) : Character.toString(c));
      }
    }
    out.append('"');
  }
}
