package weft.generate;

/**
 * The arrays of vocabulary size that choosing a token may need, each made when it first is: greedy
 * decoding needs none. One serves all turns of a thread.
 */
final class Workspace {
  private final int vocabularySize;
  private final Candidates candidates = new Candidates();
  private float[] logits = {};
  private int[] counts = {};
  private int[] ranks = {};

  Workspace(int vocabularySize) {
    this.vocabularySize = vocabularySize;
  }

  Candidates candidates() {
    return candidates;
  }

  float[] logits() {
    if (logits.length == 0) logits = new float[vocabularySize];
    return logits;
  }

  /** All zeros, except while someone counts. */
  int[] counts() {
    if (counts.length == 0) counts = new int[vocabularySize];
    return counts;
  }

  int[] ranks() {
    if (ranks.length == 0) ranks = new int[vocabularySize];
    return ranks;
  }
}
