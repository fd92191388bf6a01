package weft.constrain.schema;

import weft.constrain.Part;
import weft.constrain.Regex;

/** The pieces of JSON's own grammar. */
final class Json {
  /** What may stand between tokens. */
  static final Regex SPACE = Regex.oneOf(" \t\n\r").many();

  static final Part OBJECT_START = Part.lexeme(Regex.sequence(Regex.text("{"), SPACE));
  static final Part OBJECT_END = Part.lexeme(Regex.sequence(SPACE, Regex.text("}")));
  static final Part ARRAY_START = Part.lexeme(Regex.sequence(Regex.text("["), SPACE));
  static final Part ARRAY_END = Part.lexeme(Regex.sequence(SPACE, Regex.text("]")));
  static final Regex COMMA = Regex.sequence(SPACE, Regex.text(","), SPACE);
  static final Part NEXT = Part.lexeme(COMMA);

  private static final Regex COLON = Regex.sequence(SPACE, Regex.text(":"), SPACE);
  private static final Regex QUOTE = Regex.text("\"");

  private Json() {}

  static Regex quoted(Regex spelled) {
    return Regex.sequence(QUOTE, spelled, QUOTE);
  }

  /** A key of a set and its colon, in one piece; behind a comma unless it is the first. */
  static Part key(Texts keys, boolean first) {
    var key = quoted(keys.spelled());
    return Part.lexeme(first ? Regex.sequence(key, COLON) : Regex.sequence(COMMA, key, COLON));
  }

  /** A key alone and its colon. */
  static Part key(String name, boolean first) {
    var key = Regex.text('"' + Spelling.of(name) + '"');
    return Part.lexeme(first ? Regex.sequence(key, COLON) : Regex.sequence(COMMA, key, COLON));
  }
}
