package weft.text.regex;

import java.lang.Character.UnicodeScript;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;

/** The character properties that patterns can name, with Oniguruma's meanings. */
public final class UnicodeProperty {
  private static final int LETTER =
      bits(
          Character.UPPERCASE_LETTER,
          Character.LOWERCASE_LETTER,
          Character.TITLECASE_LETTER,
          Character.MODIFIER_LETTER,
          Character.OTHER_LETTER);
  private static final int MARK_BITS =
      bits(Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK);
  private static final int NUMBER_BITS =
      bits(Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER);
  private static final int PUNCTUATION_BITS =
      bits(
          Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION);
  private static final int SYMBOL =
      bits(
          Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL,
          Character.MODIFIER_SYMBOL,
          Character.OTHER_SYMBOL);
  private static final int SEPARATOR =
      bits(Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR);
  private static final int OTHER =
      bits(
          Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED);

  /** Unicode's White_Space, which {@link Character#isWhitespace(int)} is not. */
  public static final CodePointSet SPACE = CodePointSet.where(UnicodeProperty::isSpace);

  /** Alphabetic characters, marks, decimal digits and connector punctuation. */
  public static final CodePointSet WORD = CodePointSet.where(UnicodeProperty::isWord);

  /** All of the general category Number. */
  public static final CodePointSet NUMBER = CodePointSet.where(category(NUMBER_BITS));

  /** All of the general category Mark. */
  public static final CodePointSet MARK = CodePointSet.where(category(MARK_BITS));

  /** All of the general category Punctuation. */
  public static final CodePointSet PUNCTUATION = CodePointSet.where(category(PUNCTUATION_BITS));

  static final CodePointSet DIGIT =
      CodePointSet.where(category(bits(Character.DECIMAL_DIGIT_NUMBER)));
  static final CodePointSet HEX_DIGIT = CodePointSet.where(UnicodeProperty::isHexDigit);

  private UnicodeProperty() {}

  /** The set that a property name stands for; case, spaces, hyphens and underscores are ignored. */
  static Optional<CodePointSet> named(String name) {
    String key = name.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
    return switch (key) {
      case "space", "whitespace" -> Optional.of(SPACE);
      case "word" -> Optional.of(WORD);
      case "n", "number" -> Optional.of(NUMBER);
      case "m", "mark", "combiningmark" -> Optional.of(MARK);
      case "p", "punctuation" -> Optional.of(PUNCTUATION);
      case "nd", "digit", "decimalnumber" -> Optional.of(DIGIT);
      case "xdigit" -> Optional.of(HEX_DIGIT);
      case "any" -> Optional.of(CodePointSet.ALL);
      case "ascii" -> Optional.of(CodePointSet.range(0, 127));
      default -> predicate(key).or(() -> script(name)).map(CodePointSet::where);
    };
  }

  private static Optional<IntPredicate> predicate(String key) {
    return Optional.ofNullable(
        switch (key) {
          case "l", "letter" -> category(LETTER);
          case "s", "symbol" -> category(SYMBOL);
          case "z", "separator" -> category(SEPARATOR);
          case "c", "other" -> category(OTHER);
          case "lc", "casedletter" ->
              category(
                  bits(
                      Character.UPPERCASE_LETTER,
                      Character.LOWERCASE_LETTER,
                      Character.TITLECASE_LETTER));
          case "lu", "uppercaseletter" -> category(bits(Character.UPPERCASE_LETTER));
          case "ll", "lowercaseletter" -> category(bits(Character.LOWERCASE_LETTER));
          case "lt", "titlecaseletter" -> category(bits(Character.TITLECASE_LETTER));
          case "lm", "modifierletter" -> category(bits(Character.MODIFIER_LETTER));
          case "lo", "otherletter" -> category(bits(Character.OTHER_LETTER));
          case "mn", "nonspacingmark" -> category(bits(Character.NON_SPACING_MARK));
          case "me", "enclosingmark" -> category(bits(Character.ENCLOSING_MARK));
          case "mc", "spacingmark" -> category(bits(Character.COMBINING_SPACING_MARK));
          case "nl", "letternumber" -> category(bits(Character.LETTER_NUMBER));
          case "no", "othernumber" -> category(bits(Character.OTHER_NUMBER));
          case "pc", "connectorpunctuation" -> category(bits(Character.CONNECTOR_PUNCTUATION));
          case "pd", "dashpunctuation" -> category(bits(Character.DASH_PUNCTUATION));
          case "ps", "openpunctuation" -> category(bits(Character.START_PUNCTUATION));
          case "pe", "closepunctuation" -> category(bits(Character.END_PUNCTUATION));
          case "pi", "initialpunctuation" -> category(bits(Character.INITIAL_QUOTE_PUNCTUATION));
          case "pf", "finalpunctuation" -> category(bits(Character.FINAL_QUOTE_PUNCTUATION));
          case "po", "otherpunctuation" -> category(bits(Character.OTHER_PUNCTUATION));
          case "sm", "mathsymbol" -> category(bits(Character.MATH_SYMBOL));
          case "sc", "currencysymbol" -> category(bits(Character.CURRENCY_SYMBOL));
          case "sk", "modifiersymbol" -> category(bits(Character.MODIFIER_SYMBOL));
          case "so", "othersymbol" -> category(bits(Character.OTHER_SYMBOL));
          case "zs", "spaceseparator" -> category(bits(Character.SPACE_SEPARATOR));
          case "zl", "lineseparator" -> category(bits(Character.LINE_SEPARATOR));
          case "zp", "paragraphseparator" -> category(bits(Character.PARAGRAPH_SEPARATOR));
          case "cc", "control", "cntrl" -> category(bits(Character.CONTROL));
          case "cf", "format" -> category(bits(Character.FORMAT));
          case "cs", "surrogate" -> category(bits(Character.SURROGATE));
          case "co", "privateuse" -> category(bits(Character.PRIVATE_USE));
          case "cn", "unassigned" -> category(bits(Character.UNASSIGNED));
          case "assigned" -> Character::isDefined;
          case "alpha", "alphabetic" -> Character::isAlphabetic;
          case "alnum" -> c -> Character.isAlphabetic(c) || DIGIT.contains(c);
          case "lower", "lowercase" -> Character::isLowerCase;
          case "upper", "uppercase" -> Character::isUpperCase;
          case "ideographic" -> Character::isIdeographic;
          case "blank" -> c -> c == '\t' || Character.getType(c) == Character.SPACE_SEPARATOR;
          case "punct" -> category(PUNCTUATION_BITS | SYMBOL);
          case "graph" -> UnicodeProperty::isGraph;
          case "print" -> c -> isGraph(c) || Character.getType(c) == Character.SPACE_SEPARATOR;
          case "emoji" -> Character::isEmoji;
          case "emojipresentation" -> Character::isEmojiPresentation;
          case "emojimodifier" -> Character::isEmojiModifier;
          case "emojimodifierbase" -> Character::isEmojiModifierBase;
          case "emojicomponent" -> Character::isEmojiComponent;
          case "extendedpictographic" -> Character::isExtendedPictographic;
          default -> null;
        });
  }

  private static Optional<IntPredicate> script(String name) {
    try {
      var script = UnicodeScript.forName(name.replaceAll("[ -]", "_"));
      return Optional.of(c -> UnicodeScript.of(c) == script);
    } catch (IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }

  private static boolean isSpace(int c) {
    return (c >= '\t' && c <= '\r') || c == 0x85 || (SEPARATOR >>> Character.getType(c) & 1) != 0;
  }

  private static boolean isWord(int c) {
    int wanted = MARK_BITS | bits(Character.DECIMAL_DIGIT_NUMBER, Character.CONNECTOR_PUNCTUATION);
    return Character.isAlphabetic(c) || (wanted >>> Character.getType(c) & 1) != 0;
  }

  private static boolean isGraph(int c) {
    int hidden = bits(Character.CONTROL, Character.UNASSIGNED, Character.SURROGATE);
    return !isSpace(c) && (hidden >>> Character.getType(c) & 1) == 0;
  }

  private static boolean isHexDigit(int c) {
    return c < 128 && Character.digit(c, 16) >= 0;
  }

  private static IntPredicate category(int wanted) {
    return c -> (wanted >>> Character.getType(c) & 1) != 0;
  }

  private static int bits(int... types) {
    int bits = 0;
    for (int type : types) {
      bits |= 1 << type;
    }
    return bits;
  }
}
