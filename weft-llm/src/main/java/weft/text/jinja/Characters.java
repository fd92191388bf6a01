package weft.text.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;

/** Python's view of a string: code points, and its own notions of space, line break and case. */
final class Characters {
  private static final int CAPITAL_I_WITH_DOT = 0x130;
  private static final int CAPITAL_SIGMA = 0x3a3;
  private static final char FINAL_SIGMA = 'ς';

  /** Punctuation that may stand inside a word (Unicode's MidLetter, MidNumLet, Single_Quote). */
  private static final String WITHIN_WORDS =
      "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a";

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

  static IntPredicate anyOf(Run run, String characters) {
    if (characters.length() < 8) {
      return c -> characters.indexOf(c) >= 0;
    }
    run.budget().items(characters.length());
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
   * What the JDK does character by character is its own again; but for each sigma it looks at all
   * of the text, and for each dotted I it copies all of it.
   */
  static String lower(Run run, String text) {
    if (text.indexOf(CAPITAL_SIGMA) < 0 && text.indexOf(CAPITAL_I_WITH_DOT) < 0) {
      run.budget().text(text.length());
      return text.toLowerCase(Locale.ROOT);
    }
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (c == CAPITAL_SIGMA && isFinal(text, i)) {
        result.append(FINAL_SIGMA);
      } else {
        appendLower(result, c);
      }
      i += Character.charCount(c);
    }
    return result.toString();
  }

  /** Whether a sigma ends a word: a letter comes before it and none behind, marks left aside. */
  private static boolean isFinal(String text, int at) {
    int before = at;
    while (before > 0 && isCaseIgnorable(text.codePointBefore(before))) {
      before -= Character.charCount(text.codePointBefore(before));
    }
    if (before == 0 || !isCased(text.codePointBefore(before))) {
      return false;
    }
    int behind = at + 1;
    while (behind < text.length() && isCaseIgnorable(text.codePointAt(behind))) {
      behind += Character.charCount(text.codePointAt(behind));
    }
    return behind == text.length() || !isCased(text.codePointAt(behind));
  }

  private static boolean isCaseIgnorable(int c) {
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.FORMAT,
          Character.MODIFIER_LETTER,
          Character.MODIFIER_SYMBOL ->
          true;
      default -> WITHIN_WORDS.indexOf(c) >= 0;
    };
  }

  /** For each character whose capitals are longer the JDK copies all that it is given. */
  static String upper(Run run, String text) {
    if (text.chars().noneMatch(Capitals::isLonger)) {
      run.budget().text(text.length());
      return text.toUpperCase(Locale.ROOT);
    }
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      appendUpper(result, c);
      i += Character.charCount(c);
    }
    return result.toString();
  }

  private static void appendUpper(TextBuilder result, int c) {
    if (Capitals.isLonger(c)) {
      result.append(Capitals.of(c));
    } else {
      result.appendCodePoint(Character.toUpperCase(c));
    }
  }

  private static void appendLower(TextBuilder result, int c) {
    if (c == CAPITAL_I_WITH_DOT) {
      result.append("i\u0307");
    } else {
      result.appendCodePoint(Character.toLowerCase(c));
    }
  }

  /** The character as the first of a title; one character may become several. */
  private static void appendTitled(TextBuilder result, int c) {
    int title = Character.toTitleCase(c);
    if (title != c || Character.isTitleCase(c) || !Capitals.isLonger(c)) {
      result.appendCodePoint(title);
      return;
    }
    // A ligature such as U+FB01 has no title form of its own: only its first letter is raised.
    String upper = Capitals.of(c);
    result.append(upper.charAt(0));
    upper.codePoints().skip(1).forEach(rest -> appendLower(result, rest));
  }

  static String capitalize(Run run, String text) {
    if (text.isEmpty()) {
      return text;
    }
    int first = text.codePointAt(0);
    TextBuilder result = new TextBuilder(run);
    appendTitled(result, first);
    // The rest is cut from the whole, because a sigma's small form depends on what comes before it.
    String lower = lower(run, text);
    return result
        .append(lower, first == CAPITAL_I_WITH_DOT ? 2 : Character.charCount(first), lower.length())
        .toString();
  }

  /** Python's {@code str.title}: every run of letters starts with a capital. */
  static String title(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    boolean inWord = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (inWord) {
        appendLower(result, c);
      } else {
        appendTitled(result, c);
      }
      inWord = isCased(c);
      i += Character.charCount(c);
    }
    return result.toString();
  }

  static String swapCase(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (Character.isUpperCase(c)) {
        appendLower(result, c);
      } else if (Character.isLowerCase(c)) {
        appendUpper(result, c);
      } else {
        result.appendCodePoint(c);
      }
      i += Character.charCount(c);
    }
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

  static boolean isAlpha(int c) {
    return Character.isLetter(c);
  }

  static boolean isDecimal(int c) {
    return Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER;
  }

  private static boolean isNumeric(int c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> false;
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
