package weft.unicode;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

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
  private static final int PUNCTUATION =
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

  /** The code points of each general category, by Java's number for it. */
  private static final CodePointSet[] CATEGORIES = categories();

  /** Unicode's White_Space, which {@link Character#isWhitespace(int)} is not. */
  public static final CodePointSet SPACE =
      category(SEPARATOR).union(CodePointSet.range('\t', '\r')).union(CodePointSet.of(0x85));

  /** All of the general category Number. */
  public static final CodePointSet NUMBER = category(NUMBER_BITS);

  /** All of the general category Mark. */
  public static final CodePointSet MARK = category(MARK_BITS);

  public static final CodePointSet DIGIT = category(bits(Character.DECIMAL_DIGIT_NUMBER));
  public static final CodePointSet CONNECTOR = category(bits(Character.CONNECTOR_PUNCTUATION));

  public static final CodePointSet HEX_DIGIT =
      CodePointSet.range('0', '9')
          .union(CodePointSet.range('A', 'F'))
          .union(CodePointSet.range('a', 'f'));

  private UnicodeProperty() {}

  /** The set that a property name stands for; case, spaces, hyphens and underscores are ignored. */
  public static Optional<CodePointSet> named(String name) {
    String key = name.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
    int categories = categories(key);
    if (categories != 0) {
      return Optional.of(category(categories));
    }
    return switch (key) {
      case "space", "whitespace" -> Optional.of(SPACE);
      case "word" -> Optional.of(WordCharacters.WORD);
      case "alpha", "alphabetic" -> Optional.of(WordCharacters.ALPHABETIC);
      case "alnum" -> Optional.of(WordCharacters.ALPHABETIC.union(DIGIT));
      case "digit" -> Optional.of(DIGIT);
      case "xdigit" -> Optional.of(HEX_DIGIT);
      case "punct" -> Optional.of(category(PUNCTUATION | SYMBOL));
      case "blank" ->
          Optional.of(category(bits(Character.SPACE_SEPARATOR)).union(CodePointSet.of('\t')));
      case "graph" -> Optional.of(graph());
      case "print" -> Optional.of(graph().union(category(bits(Character.SPACE_SEPARATOR))));
      case "any" -> Optional.of(CodePointSet.ALL);
      case "ascii" -> Optional.of(CodePointSet.range(0, 127));
      default -> RareProperties.named(key).or(() -> RareProperties.script(name));
    };
  }

  /** The general categories that a name stands for, as bits; none where it is no such name. */
  private static int categories(String key) {
    return switch (key) {
      case "l", "letter" -> LETTER;
      case "m", "mark", "combiningmark" -> MARK_BITS;
      case "n", "number" -> NUMBER_BITS;
      case "p", "punctuation" -> PUNCTUATION;
      case "s", "symbol" -> SYMBOL;
      case "z", "separator" -> SEPARATOR;
      case "c", "other" -> OTHER;
      case "lc", "casedletter" ->
          bits(Character.UPPERCASE_LETTER, Character.LOWERCASE_LETTER, Character.TITLECASE_LETTER);
      case "lu", "uppercaseletter" -> bits(Character.UPPERCASE_LETTER);
      case "ll", "lowercaseletter" -> bits(Character.LOWERCASE_LETTER);
      case "lt", "titlecaseletter" -> bits(Character.TITLECASE_LETTER);
      case "lm", "modifierletter" -> bits(Character.MODIFIER_LETTER);
      case "lo", "otherletter" -> bits(Character.OTHER_LETTER);
      case "mn", "nonspacingmark" -> bits(Character.NON_SPACING_MARK);
      case "me", "enclosingmark" -> bits(Character.ENCLOSING_MARK);
      case "mc", "spacingmark" -> bits(Character.COMBINING_SPACING_MARK);
      case "nd", "decimalnumber" -> bits(Character.DECIMAL_DIGIT_NUMBER);
      case "nl", "letternumber" -> bits(Character.LETTER_NUMBER);
      case "no", "othernumber" -> bits(Character.OTHER_NUMBER);
      case "pc", "connectorpunctuation" -> bits(Character.CONNECTOR_PUNCTUATION);
      case "pd", "dashpunctuation" -> bits(Character.DASH_PUNCTUATION);
      case "ps", "openpunctuation" -> bits(Character.START_PUNCTUATION);
      case "pe", "closepunctuation" -> bits(Character.END_PUNCTUATION);
      case "pi", "initialpunctuation" -> bits(Character.INITIAL_QUOTE_PUNCTUATION);
      case "pf", "finalpunctuation" -> bits(Character.FINAL_QUOTE_PUNCTUATION);
      case "po", "otherpunctuation" -> bits(Character.OTHER_PUNCTUATION);
      case "sm", "mathsymbol" -> bits(Character.MATH_SYMBOL);
      case "sc", "currencysymbol" -> bits(Character.CURRENCY_SYMBOL);
      case "sk", "modifiersymbol" -> bits(Character.MODIFIER_SYMBOL);
      case "so", "othersymbol" -> bits(Character.OTHER_SYMBOL);
      case "zs", "spaceseparator" -> bits(Character.SPACE_SEPARATOR);
      case "zl", "lineseparator" -> bits(Character.LINE_SEPARATOR);
      case "zp", "paragraphseparator" -> bits(Character.PARAGRAPH_SEPARATOR);
      case "cc", "control", "cntrl" -> bits(Character.CONTROL);
      case "cf", "format" -> bits(Character.FORMAT);
      case "cs", "surrogate" -> bits(Character.SURROGATE);
      case "co", "privateuse" -> bits(Character.PRIVATE_USE);
      case "cn", "unassigned" -> bits(Character.UNASSIGNED);
      case "assigned" -> ~bits(Character.UNASSIGNED);
      default -> 0;
    };
  }

  private static CodePointSet graph() {
    int hidden = bits(Character.CONTROL, Character.UNASSIGNED, Character.SURROGATE);
    return SPACE.union(category(hidden)).complement();
  }

  private static CodePointSet category(int wanted) {
    CodePointSet set = CodePointSet.EMPTY;
    for (int type = 0; type < CATEGORIES.length; type++) {
      if ((wanted >>> type & 1) != 0) {
        set = set.union(CATEGORIES[type]);
      }
    }
    return set;
  }

  private static CodePointSet[] categories() {
    var builders = new CodePointSet.Builder[Character.FINAL_QUOTE_PUNCTUATION + 1];
    Arrays.setAll(builders, type -> new CodePointSet.Builder());
    for (int from = 0, to; from <= Character.MAX_CODE_POINT; from = to + 1) {
      int type = Character.getType(from);
      to = from;
      while (to < Character.MAX_CODE_POINT && Character.getType(to + 1) == type) to++;
      builders[type].add(from, to);
    }
    return Arrays.stream(builders).map(CodePointSet.Builder::build).toArray(CodePointSet[]::new);
  }

  private static int bits(int... types) {
    int bits = 0;
    for (int type : types) {
      bits |= 1 << type;
    }
    return bits;
  }
}
