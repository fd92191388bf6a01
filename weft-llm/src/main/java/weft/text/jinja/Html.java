package weft.text.jinja;

import weft.text.jinja.Value.Markup;

/** Escaping for HTML, as the escape filter and strings marked safe do it. */
final class Html {
  private Html() {}

  /** The value as HTML: text marked safe stays, anything else is printed and escaped. */
  static String escape(Run run, Value value) {
    return value instanceof Markup markup ? markup.text() : escape(run, Printer.str(run, value));
  }

  static String escape(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      String entity =
          switch (text.charAt(i)) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '\'' -> "&#39;";
            case '"' -> "&#34;";
            default -> "";
          };
      if (!entity.isEmpty()) {
        result.append(text, copied, i).append(entity);
        copied = i + 1;
      }
    }
    return result.append(text, copied, text.length()).toString();
  }
}
