package weft.text.tokenizer;

/** What becomes of the delimiters that a text is split at. */
enum Delimiters {
  REMOVED,
  ISOLATED,
  MERGED_WITH_PREVIOUS,
  MERGED_WITH_NEXT,
  CONTIGUOUS;

  Splitter open(Pieces.Builder cut) {
    return new Splitter(this, cut);
  }

  /**
   * Receives the parts of one piece from left to right, and puts together those that belong
   * together.
   */
  static final class Splitter {
    private final Delimiters delimiters;
    private final Pieces.Builder cut;
    private int start = -1;
    private int end = -1;
    private boolean delimiter;

    private Splitter(Delimiters delimiters, Pieces.Builder cut) {
      this.delimiters = delimiters;
      this.cut = cut;
    }

    void part(int from, int to, boolean isDelimiter) {
      if (delimiters == ISOLATED || delimiters == REMOVED) {
        if (delimiters == ISOLATED || !isDelimiter) {
          cut.add(from, to);
        }
        return;
      }
      boolean joins =
          start >= 0
              && switch (delimiters) {
                case MERGED_WITH_PREVIOUS -> isDelimiter && !delimiter;
                case MERGED_WITH_NEXT -> delimiter && !isDelimiter;
                case CONTIGUOUS -> isDelimiter == delimiter;
                case ISOLATED, REMOVED -> false;
              };
      if (!joins) {
        finish();
        start = from;
      }
      end = to;
      delimiter = isDelimiter;
    }

    void finish() {
      if (start >= 0) {
        cut.add(start, end);
        start = -1;
      }
    }
  }
}
