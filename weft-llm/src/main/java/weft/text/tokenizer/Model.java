package weft.text.tokenizer;

/** Turns one piece of pre-tokenized text into ids. */
sealed interface Model permits BpeModel, UnigramModel {
  /** Appends the ids of {@code text[start, end)}. */
  void encode(char[] text, int start, int end, IntList out);
}
