package weft.text.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;

/** Python's view of a string: code points, and its own notions of space, line break and case. */
final class Characters {
  private static final int CASE_PIECE = 128;

  private Characters() {}

  static boolean isSpace(int c) {
    if (c < 0x80) {
      return c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f;
    }
    return c == 0x85 || Character.isSpaceChar(c);
  }

  private static boolean isLineBreak(char c) {
    return c >= '\n' && c <= '\r'
        || c >= 0x1c && c <= 0x1e
        || c == 0x85
        || c == 0x2028
        || c == 0x2029;
  }

  /** Whether {@code repr} shows the character itself. */
  static boolean isPrintable(int c) {
    if (c < 0x7f) {
      return c >= ' ';
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }

  static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The offset in {@code text} of its code point {@code index}, which must be within it. */
  static int offset(String text, int index) {
    return length(text) == text.length() ? index : text.offsetByCodePoints(0, index);
  }

  /** The number of code points before {@code offset}. */
  static int index(String text, int offset) {
    return text.codePointCount(0, offset);
  }

  static String at(String text, int index) {
    int start = offset(text, index);
    return text.substring(start, text.offsetByCodePoints(start, 1));
  }

  static String strip(String text) {
    return strip(text, Characters::isSpace, true, true);
  }

  static String strip(String text, IntPredicate unwanted, boolean left, boolean right) {
    int start = 0;
    int end = text.length();
    while (left && start < end) {
      int c = text.codePointAt(start);
      if (!unwanted.test(c)) {
        break;
      }
      start += Character.charCount(c);
    }
    while (right && end > start) {
      int c = text.codePointBefore(end);
      if (!unwanted.test(c)) {
        break;
      }
      end -= Character.charCount(c);
    }
    return text.substring(start, end);
  }

  static IntPredicate anyOf(String characters) {
    if (characters.length() < 8) {
      return c -> characters.indexOf(c) >= 0;
    }
    Set<Integer> set = new HashSet<>();
    characters.codePoints().forEach(set::add);
    return set::contains;
  }

  /** Python's {@code splitlines}. */
  static List<String> lines(Run run, String text, boolean keepEnds) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = start;
      while (end < text.length() && !isLineBreak(text.charAt(end))) {
        end++;
      }
      int next = end;
      if (end < text.length()) {
        next = text.startsWith("\r\n", end) ? end + 2 : end + 1;
      }
      run.budget().items(1);
      lines.add(text.substring(start, keepEnds ? next : end));
      start = next;
    }
    return lines;
  }

  /**
   * The only character with a longer small form is written out first: the JDK copies the whole text
   * for each.
   */
  static String lower(String text) {
    String plain = text.indexOf('\u0130') < 0 ? text : text.replace("\u0130", "i\u0307");
    return plain.toLowerCase(Locale.ROOT);
  }

  /**
   * Piece by piece: for each character whose capitals are longer the JDK copies all that it is
   * given.
   */
  static String upper(String text) {
    if (text.length() <= 2 * CASE_PIECE) {
      return text.toUpperCase(Locale.ROOT);
    }
    StringBuilder result = new StringBuilder(text.length());
    int start = 0;
    while (start < text.length()) {
      int end = Math.min(text.length(), start + CASE_PIECE);
      if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
        end++;
      }
      result.append(text.substring(start, end).toUpperCase(Locale.ROOT));
      start = end;
    }
    return result.toString();
  }

  /** The character as the first of a title; one character may become several. */
  private static String titled(int c) {
    int title = Character.toTitleCase(c);
    if (title != c || Character.isTitleCase(c)) {
      return Character.toString(title);
    }
    String upper = upper(Character.toString(c));
    // A ligature such as U+FB01 has no title form of its own: only its first letter is raised.
    return upper.length() > Character.charCount(c)
        ? upper.substring(0, 1) + lower(upper.substring(1))
        : Character.toString(c);
  }

  static String capitalize(String text) {
    if (text.isEmpty()) {
      return text;
    }
    int first = text.codePointAt(0);
    // The rest is cut from the whole, because a sigma's small form depends on what comes before it.
    return titled(first) + lower(text).substring(lower(Character.toString(first)).length());
  }

  /** Python's {@code str.title}: every run of letters starts with a capital. */
  static String title(String text) {
    StringBuilder result = new StringBuilder(text.length());
    boolean inWord = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      result.append(inWord ? lower(Character.toString(c)) : titled(c));
      inWord = isCased(c);
      i += Character.charCount(c);
    }
    return result.toString();
  }

  static String swapCase(String text) {
    StringBuilder result = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              String one = Character.toString(c);
              result.append(
                  Character.isUpperCase(c)
                      ? lower(one)
                      : Character.isLowerCase(c) ? upper(one) : one);
            });
    return result.toString();
  }

  static boolean isCased(int c) {
    return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
  }

  /** Whether the text has cased letters and none of them is {@code unwanted}. */
  static boolean isCaseOnly(String text, IntPredicate unwanted) {
    return text.codePoints().anyMatch(Characters::isCased)
        && text.codePoints().noneMatch(c -> Character.isTitleCase(c) || unwanted.test(c));
  }

  static boolean isTitle(String text) {
    boolean inWord = false;
    boolean seen = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (Character.isUpperCase(c) || Character.isTitleCase(c)) {
        if (inWord) {
          return false;
        }
        inWord = true;
        seen = true;
      } else if (Character.isLowerCase(c)) {
        if (!inWord) {
          return false;
        }
        seen = true;
      } else {
        inWord = false;
      }
      i += Character.charCount(c);
    }
    return seen;
  }

  static boolean isAlpha(int c) {
    return Character.isLetter(c);
  }

  static boolean isDecimal(int c) {
    return Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER;
  }

  /** Decimal digits, and those raised, lowered or circled. */
  static boolean isDigit(int c) {
    return isDecimal(c)
        || c == 0xb2
        || c == 0xb3
        || c == 0xb9
        || c == 0x2070
        || c >= 0x2074 && c <= 0x2079
        || c >= 0x2080 && c <= 0x2089
        || c >= 0x1369 && c <= 0x1371
        || c == 0x19da
        || c >= 0x2460 && c <= 0x2468
        || c >= 0x2474 && c <= 0x247c
        || c >= 0x2488 && c <= 0x2490
        || c == 0x24ea
        || c >= 0x24f5 && c <= 0x24fd
        || c == 0x24ff
        || c >= 0x2776 && c <= 0x277e
        || c >= 0x2780 && c <= 0x2788
        || c >= 0x278a && c <= 0x2792
        || c >= 0x10a40 && c <= 0x10a43
        || c >= 0x10e60 && c <= 0x10e68
        || c >= 0x11052 && c <= 0x1105a
        || c >= 0x1f100 && c <= 0x1f10a;
  }

  private static final String NUMERIC_IDEOGRAPHS = "〇一二三四五六七八九十百千万亿億兆零壹贰叁肆伍陆柒捌玖拾佰仟萬";

  static boolean isNumeric(int c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> NUMERIC_IDEOGRAPHS.indexOf(c) >= 0;
    };
  }

  static boolean isIdentifier(String text) {
    return !text.isEmpty()
        && (text.codePointAt(0) == '_' || Character.isUnicodeIdentifierStart(text.codePointAt(0)))
        && text.codePoints()
            .allMatch(
                c -> Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
  }

  /** Python's {@code \w}. */
  static boolean isWord(int c) {
    return c == '_' || isAlpha(c) || isNumeric(c);
  }
}
