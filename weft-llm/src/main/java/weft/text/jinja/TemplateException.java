package weft.text.jinja;

/** The one failure of a template: why, of which kind, and the place in its source. */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What sort of failure it is; {@code RAISED} is the template's own {@code raise_exception}. */
  public enum Kind {
    SYNTAX,
    RUNTIME,
    RAISED,
    LIMIT
  }

  private final Kind kind;
  private final String reason;
  private final int line;
  private final int column;
  private final String sourceLine;

  TemplateException(Kind kind, String reason, int line, int column, String sourceLine) {
    super(describe(kind, reason, line, column, sourceLine));
    this.kind = kind;
    this.reason = reason;
    this.line = line;
    this.column = column;
    this.sourceLine = sourceLine;
  }

  public Kind kind() {
    return kind;
  }

  /** The bare reason without the place; for {@code RAISED} the very message that was raised. */
  public String reason() {
    return reason;
  }

  /** The line in the template, from 1. */
  public int line() {
    return line;
  }

  /** The column in that line in characters, from 1. */
  public int column() {
    return column;
  }

  /** The text of that line. */
  public String sourceLine() {
    return sourceLine;
  }

  private static String describe(Kind kind, String reason, int line, int column, String text) {
    return switch (kind) {
      // The template addresses its user here, so its words stand alone.
      case RAISED -> reason;
      case SYNTAX, RUNTIME, LIMIT ->
          "chat template, line %d, column %d: %s%n%s"
              .formatted(line, column, reason, excerpt(text, column));
    };
  }

  /**
   * Templates are often one line of many thousand characters, so only the part around the column is
   * shown.
   */
  private static String excerpt(String text, int column) {
    int radius = 60;
    int from = Math.max(0, column - 1 - radius);
    int to = Math.min(text.length(), column - 1 + radius);
    String head = from > 0 ? "..." : "";
    String tail = to < text.length() ? "..." : "";
    String pointer = " ".repeat(head.length() + column - 1 - from) + "^";
    return "  " + head + text.substring(from, to) + tail + "\n  " + pointer;
  }
}
