package weft.text.tokenizer;

/** Whether decoding writes special tokens out. */
public enum SpecialTokens {
  SHOWN,
  SKIPPED
}
