package weft.text.regex;

import weft.unicode.CodePointSet;
import weft.unicode.UnicodeProperty;
import weft.unicode.WordCharacters;

/**
 * Reads what stands for a set of characters: bracket classes and the escapes that also work inside
 * them.
 */
final class ClassParser {
  static final CodePointSet LINE_BREAKS =
      CodePointSet.range('\n', '\r')
          .union(CodePointSet.of(0x85))
          .union(CodePointSet.range(0x2028, 0x2029));

  private static final int MAX_DEPTH = 50;

  private final Parser in;
  private int depth;

  ClassParser(Parser in) {
    this.in = in;
  }

  /** The class whose opening bracket has been read; consumes the closing one. */
  CodePointSet parse() {
    if (++depth > MAX_DEPTH) {
      throw in.error("classes nested deeper than " + MAX_DEPTH);
    }
    boolean negative = in.peek() == '^';
    if (negative) {
      in.read();
    }
    CodePointSet whole = CodePointSet.ALL;
    CodePointSet part = CodePointSet.EMPTY;
    boolean first = true;
    while (first || in.peek() != ']') {
      if (in.startsWith("&&")) {
        in.skip(2);
        whole = whole.intersection(part);
        part = CodePointSet.EMPTY;
      } else {
        part = part.union(member(first));
      }
      first = false;
    }
    in.read();
    depth--;
    CodePointSet set = whole.intersection(part);
    return negative ? set.complement() : set;
  }

  private CodePointSet member(boolean first) {
    if (in.startsWith("[:")) {
      return posix();
    }
    int c = in.read();
    if (c == '[') {
      return parse();
    }
    if (c == ']' && !first) {
      throw in.error("an empty class part");
    }
    CodePointSet start = c == '\\' ? escape() : CodePointSet.of(c);
    int from = start.single();
    if (from < 0 || in.peek() != '-' || in.startsWith("-]") || in.startsWith("-&&")) {
      return start;
    }
    in.read();
    if (in.peek() == '[') {
      // [a-[bc]] is a, a hyphen and a nested class.
      return start.union(CodePointSet.of('-'));
    }
    int d = in.read();
    CodePointSet end = d == '\\' ? escape() : CodePointSet.of(d);
    int to = end.single();
    if (to < 0) {
      return start.union(CodePointSet.of('-')).union(end);
    }
    if (to < from) {
      throw in.error("a range whose end lies before its start");
    }
    return CodePointSet.range(from, to);
  }

  private CodePointSet posix() {
    in.skip(2);
    String name = in.readUntil(':');
    in.expect(']');
    return name.startsWith("^") ? in.property(name.substring(1)).complement() : in.property(name);
  }

  /** The set of an escape whose backslash has been read. */
  CodePointSet escape() {
    int c = in.read();
    return switch (c) {
      case 's' -> UnicodeProperty.SPACE;
      case 'S' -> UnicodeProperty.SPACE.complement();
      case 'w' -> WordCharacters.WORD;
      case 'W' -> WordCharacters.WORD.complement();
      case 'd' -> UnicodeProperty.DIGIT;
      case 'D' -> UnicodeProperty.DIGIT.complement();
      case 'h' -> UnicodeProperty.HEX_DIGIT;
      case 'H' -> UnicodeProperty.HEX_DIGIT.complement();
      case 'p' -> property();
      case 'P' -> property().complement();
      case 't' -> CodePointSet.of('\t');
      case 'n' -> CodePointSet.of('\n');
      case 'r' -> CodePointSet.of('\r');
      case 'f' -> CodePointSet.of('\f');
      case 'v' -> CodePointSet.of(0x0B);
      case 'a' -> CodePointSet.of(0x07);
      case 'e' -> CodePointSet.of(0x1B);
      case 'b' -> CodePointSet.of('\b');
      case 'x' -> CodePointSet.of(hexadecimal(2));
      case 'u' -> CodePointSet.of(hexadecimal(4));
      case '0' -> CodePointSet.of(0);
      default -> {
        if (c < 128 && Character.isLetterOrDigit(c)) {
          throw in.error("the escape \\" + (char) c);
        }
        yield CodePointSet.of(c);
      }
    };
  }

  private CodePointSet property() {
    if (in.peek() != '{') {
      return in.property(Character.toString(in.read()));
    }
    in.read();
    String name = in.readUntil('}');
    return name.startsWith("^") ? in.property(name.substring(1)).complement() : in.property(name);
  }

  private int hexadecimal(int digits) {
    String text;
    if (in.peek() == '{') {
      in.read();
      text = in.readUntil('}');
    } else {
      var read = new StringBuilder();
      while (read.length() < digits && Character.digit(in.peek(), 16) >= 0) {
        read.appendCodePoint(in.read());
      }
      text = read.toString();
    }
    if (!text.matches("[0-9A-Fa-f]{1,6}")
        || Integer.parseInt(text, 16) > Character.MAX_CODE_POINT) {
      throw in.error("the character number '" + text + "'");
    }
    return Integer.parseInt(text, 16);
  }
}
