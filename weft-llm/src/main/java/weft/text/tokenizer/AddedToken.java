package weft.text.tokenizer;

/**
 * A token that is found in the text before the model sees it.
 *
 * @param id its id
 * @param content its text
 * @param singleWord it counts only where no word character touches it
 * @param stripsLeft it takes the white space before it along
 * @param stripsRight it takes the white space after it along
 * @param normalized it is looked for in normalized text, normalized itself
 * @param special it is a control token: left out where decoding skips those, and not found in text
 *     that must not contain any
 */
record AddedToken(
    int id,
    String content,
    boolean singleWord,
    boolean stripsLeft,
    boolean stripsRight,
    boolean normalized,
    boolean special) {

  /**
   * Whether text that must not contain control tokens must not contain this one. Some files mark
   * control tokens as ordinary, such as Qwen's {@code <|fim_prefix|>}; their looks give them away.
   */
  boolean isControl() {
    return special || (content.startsWith("<|") && content.endsWith("|>"));
  }

  /** This token, taking the white space after it along. */
  AddedToken strippingRight() {
    return new AddedToken(id, content, singleWord, stripsLeft, true, normalized, special);
  }

  /** A token that is found literally and takes nothing along. */
  static AddedToken plain(int id, String content, boolean special) {
    return new AddedToken(id, content, false, false, false, false, special);
  }
}
