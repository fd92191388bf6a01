package weft.text.tokenizer;

/**
 * Whether encoding puts the tokens around a text that the model expects there, such as its
 * beginning-of-text token.
 */
public enum Surround {
  /** The text stands alone. */
  ADDED,
  /** The text is part of something, or brings these tokens itself. */
  OMITTED
}
