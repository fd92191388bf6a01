package weft.text.tokenizer;

import java.util.BitSet;

/**
 * The places where a text may be cut without changing its ids, because no merge of the vocabulary
 * reaches across: before a space mark, unless it follows one of a few characters. SentencePiece
 * vocabularies have no pre-tokenizer; this gives them words, and words can be cached.
 */
final class WordBreaks {
  static final char SPACE_MARK = '▁';

  /** No cut is known to be safe. */
  static final WordBreaks NONE = new WordBreaks(false, new BitSet());

  private final boolean known;

  /** Characters that some merge joins with a following space mark. */
  private final BitSet joined;

  private WordBreaks(boolean known, BitSet joined) {
    this.known = known;
    this.joined = joined;
  }

  /** Reads the breaks off merges given as ids, and the tokens' texts. */
  static WordBreaks of(IntList triples, Vocabulary vocabulary) {
    if (vocabulary.find(String.valueOf(SPACE_MARK)) < 0) {
      return NONE;
    }
    var joined = new BitSet();
    for (int i = 0; i < triples.size(); i += 3) {
      int left = triples.get(i);
      int right = triples.get(i + 1);
      if (vocabulary.isEmpty(left) || vocabulary.isEmpty(right)) {
        continue; // nothing in a text is an empty token
      }
      if (isByte(left, vocabulary) || isByte(right, vocabulary)) {
        return NONE; // the text of a byte token is not the text it stands for
      }
      if (vocabulary.first(right) == SPACE_MARK) {
        joined.set(vocabulary.last(left));
      }
    }
    return new WordBreaks(true, joined);
  }

  private static boolean isByte(int id, Vocabulary vocabulary) {
    return vocabulary.first(id) == '<' && ByteTokens.value(vocabulary.token(id)) >= 0;
  }

  boolean isKnown() {
    return known;
  }

  /** The end of the word that starts at a position. */
  int wordEnd(char[] text, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      if (text[i] == SPACE_MARK && !joined.get(text[i - 1])) {
        return i;
      }
    }
    return end;
  }
}
