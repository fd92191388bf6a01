package weft.text.tokenizer;

import java.util.Arrays;
import weft.text.TextException;

/**
 * A unigram vocabulary: of all ways to cut a word into tokens, the one with the highest sum of
 * scores (Viterbi).
 */
final class UnigramModel implements Model {
  /** How much less likely than the rarest token an unknown character is. */
  private static final double UNKNOWN_PENALTY = 10;

  private static final int NO_TOKEN = -1;

  private final TokenIndex index;
  private final double[] scores;
  private final double unknownScore;
  private final int unknown;
  private final BpeModel.Fallback fallback;
  private final ByteTokens bytes;
  private final CharTrie trie = new CharTrie();
  private final WordCache cache = new WordCache();

  /**
   * @param vocabulary the tokens; control tokens never come out of text
   * @param scores a score for each id
   * @param unknown the id for unknown characters, or -1
   */
  UnigramModel(Vocabulary vocabulary, double[] scores, int unknown, BpeModel.Fallback fallback) {
    this.index = vocabulary.index();
    this.scores = scores;
    this.unknown = unknown;
    this.fallback = fallback;
    this.bytes = ByteTokens.of(index);
    double least = Double.POSITIVE_INFINITY;
    for (int id = 0; id < scores.length; id++) {
      least = Math.min(least, scores[id]);
      if (vocabulary.contains(id) && !vocabulary.isControl(id)) {
        trie.put(vocabulary.token(id), id);
      }
    }
    this.unknownScore = least - UNKNOWN_PENALTY;
  }

  @Override
  public void encode(char[] text, int start, int end, IntList out) {
    if (end - start > WordCache.MAX_LENGTH) {
      cut(text, start, end, out);
      return;
    }
    long hash = index.hash(text, start, end);
    if (!cache.lookUp(hash, text, start, end, out)) {
      int before = out.size();
      cut(text, start, end, out);
      cache.remember(hash, text, start, end, out.tail(before));
    }
  }

  private void cut(char[] text, int start, int end, IntList out) {
    int length = end - start;
    int[] from = new int[length + 1];
    int[] ids = new int[length + 1];
    double[] best = new double[length + 1];
    Arrays.fill(from, -1);
    for (int i = 0; i < length; ) {
      int width = Character.isHighSurrogate(text[start + i]) && i + 1 < length ? 2 : 1;
      boolean single = false;
      int node = CharTrie.ROOT;
      for (int j = i; j < length; j++) {
        node = trie.child(node, text[start + j]);
        if (node < 0) {
          break;
        }
        int id = trie.value(node);
        if (id >= 0) {
          reach(from, ids, best, i, j + 1, id, scores[id]);
          single |= j + 1 - i == width;
        }
      }
      if (!single) {
        reach(from, ids, best, i, i + width, NO_TOKEN, unknownScore);
      }
      i += width;
    }
    var cuts = new IntList();
    for (int at = length; at > 0; at = from[at]) {
      // Unknown characters in a row count as one.
      if (cuts.size() > 0 && ids[at] == NO_TOKEN && ids[cuts.get(cuts.size() - 1)] == NO_TOKEN) {
        from[cuts.get(cuts.size() - 1)] = from[at];
      } else {
        cuts.add(at);
      }
    }
    for (int i = cuts.size() - 1; i >= 0; i--) {
      int at = cuts.get(i);
      if (ids[at] != NO_TOKEN) {
        out.add(ids[at]);
      } else {
        encodeUnknown(text, start + from[at], start + at, out);
      }
    }
  }

  private static void reach(
      int[] from, int[] ids, double[] best, int start, int end, int id, double score) {
    double sum = best[start] + score;
    if (from[end] < 0 || sum > best[end]) {
      best[end] = sum;
      from[end] = start;
      ids[end] = id;
    }
  }

  private void encodeUnknown(char[] text, int start, int end, IntList out) {
    if (fallback == BpeModel.Fallback.BYTES && bytes.encode(text, start, end, out)) {
      return;
    }
    if (unknown < 0) {
      throw new TextException(
          "the text has '"
              + new String(text, start, end - start)
              + "', which the tokenizer lacks, and it names no unknown token");
    }
    out.add(unknown);
  }
}
