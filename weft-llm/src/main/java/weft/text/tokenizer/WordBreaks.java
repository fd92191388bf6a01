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
      String left = vocabulary.token(triples.get(i));
      String right = vocabulary.token(triples.get(i + 1));
      if (ByteTokens.value(left) >= 0 || ByteTokens.value(right) >= 0) {
        return NONE; // the text of a byte token is not the text it stands for
      }
      if (right.charAt(0) == SPACE_MARK) {
        joined.set(left.charAt(left.length() - 1));
      }
    }
    return new WordBreaks(true, joined);
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
