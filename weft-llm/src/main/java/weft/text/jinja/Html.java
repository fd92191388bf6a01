package weft.text.jinja;

import java.util.Optional;
import weft.text.jinja.Value.Markup;

/** Escaping for HTML, as the escape filter and strings marked safe do it. */
final class Html {
  private Html() {}

  /** The value as HTML: text marked safe stays, anything else is printed and escaped. */
  static String escape(Run run, Value value) {
    return value instanceof Markup markup ? markup.text() : escape(run, Printer.str(run, value));
  }

  static String escape(Run run, String text) {
    run.budget().text(escapedLength(text));
    StringBuilder result = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> result.append("&amp;");
        case '<' -> result.append("&lt;");
        case '>' -> result.append("&gt;");
        case '\'' -> result.append("&#39;");
        case '"' -> result.append("&#34;");
        default -> result.append(c);
      }
    }
    return result.toString();
  }

  private static long escapedLength(String text) {
    long length = text.length();
    for (int i = 0; i < text.length(); i++) {
      length +=
          switch (text.charAt(i)) {
            case '&', '\'', '"' -> 4;
            case '<', '>' -> 3;
            default -> 0;
          };
    }
    return length;
  }

  /**
   * The text with the entities that {@link #escape} makes, the common named ones and numeric ones
   * resolved.
   */
  static String unescape(String text) {
    StringBuilder result = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int start = text.indexOf('&', at);
      int end = start < 0 ? -1 : text.indexOf(';', start);
      if (end < 0) {
        break;
      }
      result.append(text, at, start);
      // An entity is short, so a far semicolon belongs to something else.
      Optional<String> character =
          end - start <= 12 ? character(text.substring(start + 1, end)) : Optional.empty();
      result.append(character.orElse("&"));
      at = character.isPresent() ? end + 1 : start + 1;
    }
    return result.append(text, at, text.length()).toString();
  }

  private static Optional<String> character(String entity) {
    if (entity.startsWith("#")) {
      boolean hexadecimal = entity.startsWith("#x") || entity.startsWith("#X");
      return Numbers.parseWhole(entity.substring(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10)
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
