package weft.cuda.product;

/**
 * Who shares the rows of weights of {@link TensorRows}. A block has {@value #BLOCK_ROWS} of them,
 * so that what it brings of the activations meets many; where that leaves too few blocks to keep
 * memory busy, several have a part of each row, and the last of them adds the parts up.
 *
 * @param blocks side by side, each with rows of its own
 * @param pieces of a row
 * @param parts of a row
 */
record RowSplit(int blocks, int pieces, int parts) {
  /** Eight warps' rows, sixteen each, as tensor cores take them. */
  static final int BLOCK_ROWS = 128;

  /** The one that adds up reads that many parts by itself. */
  private static final int MOST_PARTS = 8;

  /** Of a large GPU, each of which has two blocks at once. */
  private static final int MULTIPROCESSORS = 132;

  // Microseconds, on an H200.

  /** Until a block's first piece is there. */
  private static final double BEGIN = 1.5;

  /** To leave a part and to find out who is last. */
  private static final double MEET = 2.5;

  /** For the last one to read a part. */
  private static final double READ = 0.35;

  /**
   * How quick a kernel is, in microseconds.
   *
   * @param piece of a block, where every multiprocessor has one; of two, each takes twice that
   * @param quickest the same where memory has nothing else to do
   */
  record Pace(double piece, double quickest) {}

  static RowSplit of(Product product, int pieces, Pace pace) {
    int rows = product.outputs() * product.weights();
    var best = new RowSplit(Math.ceilDiv(rows, BLOCK_ROWS), pieces, 1);
    for (int parts = 2; parts <= Math.min(MOST_PARTS, pieces); parts++) {
      var split = new RowSplit(best.blocks, pieces, parts);
      if (split.micros(pace) < best.micros(pace)) best = split;
    }
    return best;
  }

  /** How long all blocks take. */
  private double micros(Pace pace) {
    int all = blocks * parts;
    int rounds = Math.ceilDiv(all, 2 * MULTIPROCESSORS);
    double share = (double) all / MULTIPROCESSORS;
    double piece = share > 1 ? 2 * pace.piece : Math.max(pace.quickest, pace.piece * share);
    double meeting = parts == 1 ? 0 : MEET + READ * parts;
    return rounds * (BEGIN + Math.ceilDiv(pieces, parts) * piece + meeting);
  }

  boolean isShared() {
    return parts > 1;
  }
}
