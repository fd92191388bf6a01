package weft.format;

/** Text of a file made fit for a message: short, on one line, without control characters. */
final class Quoted {
  private static final int LONGEST = 80;

  private Quoted() {}

  static String text(String text) {
    var quoted = new StringBuilder("'");
    text.codePoints().limit(LONGEST).forEach(c -> append(quoted, c));
    if (text.codePointCount(0, text.length()) > LONGEST) {
      quoted.append("…");
    }
    return quoted.append("'").toString();
  }

  private static void append(StringBuilder quoted, int codePoint) {
    switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          quoted.append("\\u%04X".formatted(codePoint));
      default -> quoted.appendCodePoint(codePoint);
    }
  }
}
