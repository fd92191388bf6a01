package weft.text.jinja;

import java.util.Optional;
import weft.text.jinja.Value.Markup;

/** Escaping for HTML, as the escape filter and strings marked safe do it. */
final class Html {
  private static final int ENTITY = 13;

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

  /**
   * The text with the entities that {@link #escape} makes, the common named ones and numeric ones
   * resolved.
   */
  static String unescape(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    int copied = 0;
    for (int start = text.indexOf('&'); start >= 0; start = text.indexOf('&', start + 1)) {
      // An entity is short, so a far semicolon belongs to something else.
      int end = text.indexOf(';', start, Math.min(text.length(), start + ENTITY));
      if (end < 0) {
        continue;
      }
      Optional<String> character = character(run, text.substring(start + 1, end));
      if (character.isPresent()) {
        result.append(text, copied, start).append(character.get());
        copied = end + 1;
        start = end;
      }
    }
    return result.append(text, copied, text.length()).toString();
  }

  private static Optional<String> character(Run run, String entity) {
    if (entity.startsWith("#")) {
      boolean hexadecimal = entity.startsWith("#x") || entity.startsWith("#X");
      return Numbers.parseWhole(run, entity.substring(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10)
          .map(Numbers::index)
          .filter(c -> c > 0 && Character.isValidCodePoint(c))
          .map(Character::toString);
    }
    return switch (entity) {
      case "amp" -> Optional.of("&");
      case "lt" -> Optional.of("<");
      case "gt" -> Optional.of(">");
      case "quot" -> Optional.of("\"");
      case "apos" -> Optional.of("'");
      case "nbsp" -> Optional.of("\u00a0");
      case "copy" -> Optional.of("\u00a9");
      case "raquo" -> Optional.of("\u00bb");
      case "laquo" -> Optional.of("\u00ab");
      case "hellip" -> Optional.of("\u2026");
      case "mdash" -> Optional.of("\u2014");
      case "ndash" -> Optional.of("\u2013");
      default -> Optional.empty();
    };
  }
}
