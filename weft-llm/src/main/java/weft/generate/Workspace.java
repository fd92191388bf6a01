package weft.generate;

/** The arrays of vocabulary size that choosing a token needs; one serves all turns of a thread. */
final class Workspace {
  final float[] logits;
  final int[] counts;
  final int[] ranks;
  final Candidates candidates;

  Workspace(int vocabularySize) {
    logits = new float[vocabularySize];
    counts = new int[vocabularySize];
    ranks = new int[vocabularySize];
    candidates = new Candidates(vocabularySize);
  }
}
