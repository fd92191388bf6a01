package weft.text.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The ranked merges that the scores of a SentencePiece vocabulary amount to: every way to cut a
 * token into two others, best score first, and for equal scores the longer halves first. Hugging
 * Face converts these vocabularies so, and the result is the list that their tokenizer.json has.
 */
final class SentencePieceMerges {
  /**
   * SentencePiece gives tokens that a user defined the best score there is, whatever converters
   * write.
   */
  private static final float USER_DEFINED_SCORE = 0f;

  private record Cut(int left, int right, int result, int leftLength, int rightLength) {
    private static final Comparator<Cut> LONGER_HALVES_FIRST =
        Comparator.comparingInt(Cut::leftLength).thenComparingInt(Cut::rightLength).reversed();
  }

  private SentencePieceMerges() {}

  /** The merges as ids: left, right, result, left, right, result, … */
  static IntList of(GgufVocabulary gguf, Vocabulary vocabulary) {
    long[] order = byScore(gguf);
    var triples = new IntList();
    var group = new ArrayList<Cut>();
    for (int i = 0; i < order.length; i++) {
      cuts((int) order[i], vocabulary, group);
      boolean last = i + 1 == order.length || order[i] >>> 32 != order[i + 1] >>> 32;
      if (last) {
        add(group, triples);
      }
    }
    return triples;
  }

  /** Mergeable tokens from the best score to the worst: the score's sortable bits above the id. */
  private static long[] byScore(GgufVocabulary gguf) {
    long[] order = new long[gguf.tokens().size()];
    int count = 0;
    for (int id = 0; id < order.length; id++) {
      int type = gguf.type(id);
      if (type == GgufVocabulary.NORMAL || type == GgufVocabulary.USER_DEFINED) {
        float score = type == GgufVocabulary.USER_DEFINED ? USER_DEFINED_SCORE : gguf.scores()[id];
        order[count++] = (long) descending(score) << 32 | id;
      }
    }
    order = Arrays.copyOf(order, count);
    Arrays.sort(order);
    return order;
  }

  /** Bits that sort as signed ints in the opposite order of the floats. */
  private static int descending(float score) {
    int bits = Float.floatToIntBits(score + 0f); // -0 becomes 0
    return ~(bits < 0 ? bits ^ Integer.MAX_VALUE : bits);
  }

  private static void cuts(int id, Vocabulary vocabulary, List<Cut> group) {
    char[] text = vocabulary.characters(id);
    TokenIndex index = vocabulary.index();
    for (int i = 1; i < text.length; i++) {
      if (Character.isLowSurrogate(text[i])) {
        continue;
      }
      int left = index.find(text, 0, i);
      int right = left < 0 ? left : index.find(text, i, text.length);
      if (right >= 0) {
        int leftLength = Character.codePointCount(text, 0, i);
        int rightLength = Character.codePointCount(text, i, text.length - i);
        group.add(new Cut(left, right, id, leftLength, rightLength));
      }
    }
  }

  private static void add(List<Cut> group, IntList triples) {
    group.sort(Cut.LONGER_HALVES_FIRST);
    for (Cut cut : group) {
      triples.add(cut.left);
      triples.add(cut.right);
      triples.add(cut.result);
    }
    group.clear();
  }
}
