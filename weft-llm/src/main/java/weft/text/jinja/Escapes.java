package weft.text.jinja;

/** Escape sequences in string literals: Jinja2 reads them with Python's unicode-escape codec. */
final class Escapes {
  private final Source source;
  private final int position;
  private final String literal;
  private final StringBuilder out = new StringBuilder();
  private int at;

  private Escapes(Source source, int position, String literal) {
    this.source = source;
    this.position = position;
    this.literal = literal;
  }

  /** The text of a literal whose inside starts at {@code position}. */
  static String decode(Source source, int position, String literal) {
    return literal.indexOf('\\') < 0 ? literal : new Escapes(source, position, literal).decode();
  }

  private String decode() {
    while (at < literal.length()) {
      char c = literal.charAt(at++);
      if (c == '\\') {
        escape();
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private void escape() {
    if (at == literal.length()) {
      throw source.syntaxError(position + at - 1, "\\ at end of string");
    }
    int c = literal.codePointAt(at);
    at += Character.charCount(c);
    switch (c) {
      case '\n' -> {}
      case '\\', '\'', '"' -> out.append((char) c);
      case 'a' -> out.append('\u0007');
      case 'b' -> out.append('\b');
      case 'f' -> out.append('\f');
      case 'n' -> out.append('\n');
      case 'r' -> out.append('\r');
      case 't' -> out.append('\t');
      case 'v' -> out.append('\u000b');
      case 'x' -> hexadecimal(2);
      case 'u' -> hexadecimal(4);
      case 'U' -> hexadecimal(8);
      case 'N' ->
          throw source.syntaxError(
              position + at - 2, "characters have no names here: write \\u and four digits");
      case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(c - '0');
      default -> {
        // The codec sees a character beyond ASCII as its own escape, whose backslash the one before
        // it eats.
        out.append('\\').append(c < 0x80 ? Character.toString(c) : Printer.escape(c).substring(1));
      }
    }
  }

  private void octal(int first) {
    int value = first;
    for (int i = 0;
        i < 2 && at < literal.length() && literal.charAt(at) >= '0' && literal.charAt(at) <= '7';
        i++) {
      value = value * 8 + literal.charAt(at++) - '0';
    }
    out.append((char) value);
  }

  private void hexadecimal(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
      int digit =
          at < literal.length() && literal.charAt(at) < 0x80
              ? Character.digit(literal.charAt(at), 16)
              : -1;
      if (digit < 0) {
        throw source.syntaxError(
            position + at, "truncated escape: " + digits + " hexadecimal digits expected");
      }
      value = value * 16 + digit;
      at++;
    }
    if (!Character.isValidCodePoint(value)) {
      throw source.syntaxError(position + at, "illegal Unicode character");
    }
    out.appendCodePoint(value);
  }
}
