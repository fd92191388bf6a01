package weft.unicode;

/**
 * What patterns call words. Apart from the other properties, for few patterns ask: to find the
 * alphabetic ones takes as long as all general categories together.
 */
public final class WordCharacters {
  public static final CodePointSet ALPHABETIC = CodePointSet.where(Character::isAlphabetic);

  /** Alphabetic characters, marks, decimal digits and connector punctuation. */
  public static final CodePointSet WORD =
      ALPHABETIC
          .union(UnicodeProperty.MARK)
          .union(UnicodeProperty.DIGIT)
          .union(UnicodeProperty.CONNECTOR);

  private WordCharacters() {}
}
