package weft.text.tokenizer;

import java.util.Arrays;
import weft.text.TextException;

/**
 * Byte-pair encoding: a word starts as its characters, and the best ranked merge is applied until
 * none is left.
 */
final class BpeModel implements Model {
  private static final int NONE = -1;

  private final TokenIndex index;
  private final Vocabulary vocabulary;
  private final Merges merges;
  private final WordBreaks breaks;
  private final Options options;
  private final ByteTokens bytes;
  private final int[] singles;
  private final WordCache cache = new WordCache();

  /**
   * What varies between vocabularies.
   *
   * @param unknown the token for what the vocabulary lacks; empty where such characters vanish
   * @param prefix what stands before each character of a word but the first
   * @param suffix what stands after the last character of a word
   */
  record Options(
      String unknown,
      Unknowns unknowns,
      Fallback fallback,
      WholeWords wholeWords,
      String prefix,
      String suffix) {}

  /** What becomes of several unknown characters in a row. */
  enum Unknowns {
    FUSED,
    SEPARATE
  }

  /** What becomes of a character without a token. */
  enum Fallback {
    BYTES,
    UNKNOWN
  }

  /** Whether a word that is itself a token is taken whole, whatever the merges say. */
  enum WholeWords {
    TAKEN,
    MERGED
  }

  /**
   * @param vocabulary the tokens; control tokens never come out of text
   * @param triples the merges in order of rank, as ids: left, right, result, …
   */
  BpeModel(Vocabulary vocabulary, IntList triples, Options options) {
    this.index = vocabulary.index();
    this.vocabulary = vocabulary;
    this.options = options;
    this.merges = new Merges(new MergeTable(triples, vocabulary::isControl));
    boolean plain = options.prefix.isEmpty() && options.suffix.isEmpty();
    this.breaks =
        plain && options.wholeWords == WholeWords.MERGED
            ? WordBreaks.of(triples, vocabulary)
            : WordBreaks.NONE;
    this.bytes = ByteTokens.of(index);
    this.singles = singles(index, vocabulary);
  }

  /** The tokens of single characters, by character; byte alphabets have low ones alone. */
  private static int[] singles(TokenIndex index, Vocabulary vocabulary) {
    int highest = -1;
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.isOneCharacter(id)) highest = Math.max(highest, vocabulary.first(id));
    }
    int[] singles = new int[highest + 1];
    Arrays.fill(singles, NONE);
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.isOneCharacter(id)) {
        char[] single = {vocabulary.first(id)};
        int found = index.find(single, 0, 1);
        if (!vocabulary.isControl(found)) {
          singles[single[0]] = found;
        }
      }
    }
    return singles;
  }

  @Override
  public void encode(char[] text, int start, int end, IntList out) {
    if (!breaks.isKnown()) {
      encodeWord(text, start, end, out);
      return;
    }
    for (int word = start; word < end; ) {
      int next = breaks.wordEnd(text, word, end);
      encodeWord(text, word, next, out);
      word = next;
    }
  }

  private void encodeWord(char[] text, int start, int end, IntList out) {
    if (end - start > WordCache.MAX_LENGTH) {
      merge(text, start, end, out);
      return;
    }
    long hash = index.hash(text, start, end);
    if (!cache.lookUp(hash, text, start, end, out)) {
      int before = out.size();
      merge(text, start, end, out);
      cache.remember(hash, text, start, end, out.tail(before));
    }
  }

  private void merge(char[] text, int start, int end, IntList out) {
    if (options.wholeWords == WholeWords.TAKEN) {
      int id = index.find(text, start, end);
      if (id >= 0 && !vocabulary.isControl(id)) {
        out.add(id);
        return;
      }
    }
    var symbols = new IntList();
    boolean unknown = false;
    for (int i = start; i < end; ) {
      int next = i + (isPair(text, i, end) ? 2 : 1);
      int id = symbol(text, i, next, i == start, next == end);
      if (id >= 0) {
        if (unknown) {
          symbols.add(unknownId());
          unknown = false;
        }
        symbols.add(id);
      } else if (options.fallback == Fallback.UNKNOWN || !bytes.encode(text, i, next, symbols)) {
        if (unknown && options.unknowns == Unknowns.SEPARATE) {
          symbols.add(unknownId());
        }
        unknown = !options.unknown.isEmpty();
      }
      i = next;
    }
    if (unknown) {
      symbols.add(unknownId());
    }
    int[] merged = symbols.toArray();
    out.addAll(merged, merges.apply(merged, merged.length));
  }

  private static boolean isPair(char[] text, int i, int end) {
    return Character.isHighSurrogate(text[i]) && i + 1 < end;
  }

  private int symbol(char[] text, int start, int end, boolean first, boolean last) {
    String before = first ? "" : options.prefix;
    String after = last ? options.suffix : "";
    if (!before.isEmpty() || !after.isEmpty()) {
      return index.find(before + new String(text, start, end - start) + after);
    }
    if (end - start > 1) return index.find(text, start, end);
    return text[start] < singles.length ? singles[text[start]] : NONE;
  }

  private int unknownId() {
    int id = index.find(options.unknown);
    if (id < 0) {
      throw new TextException(
          "the text has a character that the tokenizer lacks, and its unknown token '"
              + options.unknown
              + "' is not in its vocabulary");
    }
    return id;
  }
}
