package weft.text.jinja;

/**
 * The template's text with one kind of line break, and the way from an offset to a line and column.
 */
record Source(String text) {

  /**
   * Line breaks become {@code \n} and one final line break goes, as Jinja2 does before it reads a
   * template.
   */
  static Source of(String raw) {
    String text = raw.replace("\r\n", "\n").replace('\r', '\n');
    return new Source(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
  }

  TemplateException error(TemplateException.Kind kind, int position, String reason) {
    int offset = Math.min(position, text.length());
    int start = text.lastIndexOf('\n', offset - 1) + 1;
    int end = text.indexOf('\n', offset);
    String lineText = text.substring(start, end < 0 ? text.length() : end);
    return new TemplateException(kind, reason, lineOf(offset), offset - start + 1, lineText);
  }

  TemplateException syntaxError(int position, String reason) {
    return error(TemplateException.Kind.SYNTAX, position, reason);
  }

  int lineOf(int position) {
    int line = 1;
    for (int i = text.indexOf('\n'); i >= 0 && i < position; i = text.indexOf('\n', i + 1)) {
      line++;
    }
    return line;
  }
}
