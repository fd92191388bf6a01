package weft.text.jinja;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import weft.text.jinja.Token.Kind;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Str;

/**
 * Cuts a template into tokens, with trim_blocks and lstrip_blocks on and comments and raw blocks
 * resolved.
 */
final class Lexer {
  private static final List<String> OPERATORS =
      List.of(
          "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{",
          "}", ">", "<", "=", ".", ":", "|", ",", ";");

  private final Source source;
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  /**
   * Whether the last thing read ended its line, so that spaces up to the next tag are indentation.
   */
  private boolean lineStart = true;

  private Lexer(Source source) {
    this.source = source;
    this.text = source.text();
  }

  static List<Token> tokens(Source source) {
    Lexer lexer = new Lexer(source);
    lexer.root();
    lexer.add(Kind.END, lexer.text.length(), "");
    return lexer.tokens;
  }

  private void add(Kind kind, int position, String value) {
    tokens.add(new Token(kind, position, value));
  }

  private void root() {
    while (at < text.length()) {
      int tag = nextTag(at);
      if (tag < 0) {
        data(at, text.length());
        at = text.length();
        return;
      }
      char type = text.charAt(tag + 1);
      char sign = tag + 2 < text.length() ? text.charAt(tag + 2) : ' ';
      int dataEnd = at + strippedLength(at, tag, sign, type != '{');
      data(at, dataEnd);
      at = tag + (sign == '-' || sign == '+' ? 3 : 2);
      lineStart = false;
      switch (type) {
        case '#' -> comment(tag);
        case '%' -> {
          int raw = rawStart(at);
          if (raw >= 0) {
            at = raw;
            raw(tag);
          } else {
            add(Kind.BLOCK_BEGIN, tag, "{%");
            inside('%', Kind.BLOCK_END);
          }
        }
        default -> {
          add(Kind.VARIABLE_BEGIN, tag, "{{");
          inside('}', Kind.VARIABLE_END);
        }
      }
    }
  }

  private int nextTag(int from) {
    for (int i = text.indexOf('{', from);
        i >= 0 && i + 1 < text.length();
        i = text.indexOf('{', i + 1)) {
      char next = text.charAt(i + 1);
      if (next == '%' || next == '{' || next == '#') {
        return i;
      }
    }
    return -1;
  }

  private void data(int from, int to) {
    if (to > from) {
      add(Kind.DATA, from, text.substring(from, to));
    }
  }

  /** How much of the data before a tag is left after its whitespace control. */
  private int strippedLength(int from, int tag, char sign, boolean block) {
    if (sign == '-') {
      return Characters.strip(text.substring(from, tag), Characters::isSpace, false, true).length();
    }
    if (sign == '+' || !block) {
      return tag - from;
    }
    String data = text.substring(from, tag);
    int line = data.lastIndexOf('\n') + 1;
    if (line == 0 && !lineStart) {
      return data.length();
    }
    return Characters.strip(data.substring(line)).isEmpty() ? line : data.length();
  }

  private void skipSpaces() {
    while (at < text.length() && Characters.isSpace(text.charAt(at))) {
      at++;
    }
  }

  /** Reads the end of a tag, {@code -%}} and its like included, when it stands here. */
  private boolean closes(char last, boolean trims) {
    int sign = at;
    boolean strips = text.startsWith("-", at);
    boolean keeps = trims && text.startsWith("+", at);
    if (strips || keeps) {
      sign++;
    }
    if (!text.startsWith(last + "}", sign)) {
      return false;
    }
    at = sign + 2;
    if (strips) {
      skipSpaces();
    } else if (trims && !keeps && text.startsWith("\n", at)) {
      at++;
    }
    lineStart = text.charAt(at - 1) == '\n';
    return true;
  }

  private void comment(int start) {
    if (at == text.length()) {
      return;
    }
    for (; at < text.length(); at++) {
      if (closes('#', true)) {
        return;
      }
    }
    throw source.syntaxError(start, "Missing end of comment tag");
  }

  /** The offset behind {@code raw %}}, or -1 when the block that begins here is another one. */
  private int rawStart(int from) {
    int saved = at;
    at = from;
    skipSpaces();
    if (text.startsWith("raw", at)) {
      at += 3;
      skipSpaces();
      boolean strips = text.startsWith("-%}", at);
      if (strips || text.startsWith("%}", at)) {
        at += strips ? 3 : 2;
        if (strips) {
          skipSpaces();
        }
        lineStart = text.charAt(at - 1) == '\n';
        int start = at;
        at = saved;
        return start;
      }
    }
    at = saved;
    return -1;
  }

  private void raw(int tag) {
    int start = at;
    if (start == text.length()) {
      return;
    }
    for (int open = text.indexOf("{%", start); open >= 0; open = text.indexOf("{%", open + 1)) {
      at = open + 2;
      char sign = at < text.length() ? text.charAt(at) : ' ';
      at += sign == '-' || sign == '+' ? 1 : 0;
      skipSpaces();
      if (!text.startsWith("endraw", at)) {
        continue;
      }
      at += 6;
      skipSpaces();
      boolean startsLine = lineStart;
      if (closes('%', true)) {
        boolean endsLine = lineStart;
        lineStart = startsLine;
        data(start, start + strippedLength(start, open, sign, true));
        lineStart = endsLine;
        return;
      }
    }
    throw source.syntaxError(tag, "Missing end of raw directive");
  }

  /** The tokens inside a tag up to its end, which only counts outside brackets. */
  private void inside(char last, Kind end) {
    Deque<Character> open = new ArrayDeque<>();
    while (at < text.length()) {
      int start = at;
      if (open.isEmpty() && closes(last, end == Kind.BLOCK_END)) {
        add(end, start, last + "}");
        return;
      }
      int c = text.codePointAt(at);
      if (Characters.isSpace(c)) {
        at++;
      } else if (c >= '0' && c <= '9') {
        number();
      } else if (Characters.isWord(c)) {
        name();
      } else if (c == '"' || c == '\'') {
        string();
      } else {
        operator(open);
      }
    }
  }

  private void name() {
    int start = at;
    while (at < text.length() && Characters.isWord(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    String name = text.substring(start, at);
    if (!Characters.isIdentifier(name)) {
      throw source.syntaxError(start, "Invalid character in identifier");
    }
    add(Kind.NAME, start, name);
  }

  private void operator(Deque<Character> open) {
    String sign = sign();
    switch (sign) {
      case "{" -> open.push('}');
      case "(" -> open.push(')');
      case "[" -> open.push(']');
      case "}", ")", "]" -> {
        if (open.isEmpty()) {
          throw source.syntaxError(at, "unexpected '" + sign + "'");
        }
        char expected = open.pop();
        if (expected != sign.charAt(0)) {
          throw source.syntaxError(at, "unexpected '" + sign + "', expected '" + expected + "'");
        }
      }
      default -> {}
    }
    add(Kind.OPERATOR, at, sign);
    at += sign.length();
  }

  private String sign() {
    for (String operator : OPERATORS) {
      if (text.startsWith(operator, at)) {
        return operator;
      }
    }
    throw source.syntaxError(
        at, "unexpected char " + Printer.brief(Character.toString(text.codePointAt(at))));
  }

  private void number() {
    int start = at;
    // After a dot "0.1" is two indices, not a fraction.
    boolean index = start > 0 && text.charAt(start - 1) == '.';
    digits();
    int wholeEnd = at;
    if (!index && at + 1 < text.length() && text.charAt(at) == '.' && isDigit(at + 1)) {
      at++;
      digits();
    }
    int exponent = at;
    if (!index && at < text.length() && (text.charAt(at) | 0x20) == 'e') {
      at++;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      if (isDigit(at)) {
        digits();
      } else {
        at = exponent;
      }
    }
    if (at > wholeEnd) {
      double value = Double.parseDouble(text.substring(start, at).replace("_", ""));
      tokens.add(new Token(Kind.FLOAT, start, text.substring(start, at), new Real(value)));
      return;
    }
    if (text.charAt(start) == '0') {
      // A decimal number does not start with zeros: "007" is "00" followed by "7", as in Python's
      // grammar.
      at = start + 1;
      while (text.startsWith("0", at) || text.startsWith("_0", at)) {
        at += text.charAt(at) == '_' ? 2 : 1;
      }
    }
    String digits = text.substring(start, at).replace("_", "");
    if (digits.length() > Numbers.MAX_DIGITS) {
      throw source.syntaxError(start, "the number has more than " + Numbers.MAX_DIGITS + " digits");
    }
    tokens.add(new Token(Kind.INTEGER, start, digits, Value.number(new BigInteger(digits))));
  }

  private boolean isDigit(int offset) {
    return offset < text.length() && text.charAt(offset) >= '0' && text.charAt(offset) <= '9';
  }

  /** Digits with single underscores between them. */
  private void digits() {
    while (isDigit(at) || at < text.length() && text.charAt(at) == '_' && isDigit(at + 1)) {
      at++;
    }
  }

  private void string() {
    int start = at;
    char quote = text.charAt(at++);
    while (at < text.length() && text.charAt(at) != quote) {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    if (at >= text.length()) {
      throw source.syntaxError(start, "the string that starts here has no end");
    }
    String value = Escapes.decode(source, start + 1, text.substring(start + 1, at));
    at++;
    tokens.add(new Token(Kind.STRING, start, value, new Str(value)));
  }
}
