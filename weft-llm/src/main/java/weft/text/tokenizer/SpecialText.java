package weft.text.tokenizer;

/** What special tokens that are spelled out in a text mean. */
public enum SpecialText {
  /** They are the control tokens themselves: for text that a chat template wrote. */
  PARSED,
  /** They are ordinary text: for what users wrote, who must not be able to forge control tokens. */
  ESCAPED
}
