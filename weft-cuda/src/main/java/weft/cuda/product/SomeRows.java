package weft.cuda.product;

import weft.cuda.ptx.TensorElement;

/**
 * How {@link TensorRows} has its activations: halves in the order in which lanes load them, 16
 * bytes each, 512 bytes a warp. Rows go in eights, values in pieces of {@value #PIECE}; what is
 * missing of either is zero.
 *
 * <p>Up to {@value #SPLIT} rows are sums of two halves each, so that their products are those of
 * floats; of more, the second halves would take as long to read as the weights.
 *
 * @param rows that are multiplied at once: 16, 32 or 64
 */
record SomeRows(RowLayout layout, int rows) {
  static final int PIECE = 128;

  private static final int SPLIT = 32;

  /** Bytes of eight rows' piece. */
  static final int TILE_BYTES = 8 * PIECE * Short.BYTES;

  /** Vectors of eight values that a piece has. */
  static final int VECTORS = PIECE / 8;

  int pieces() {
    return Math.ceilDiv(layout.columns(), PIECE);
  }

  /** Halves that a value is the sum of. */
  int parts() {
    return rows <= SPLIT ? 2 : 1;
  }

  /** Eights of rows, the second halves' included, which come after all first ones. */
  int tiles() {
    return parts() * rows / 8;
  }

  long bytes(int count) {
    return (long) Math.ceilDiv(count, rows) * tiles() * pieces() * TILE_BYTES;
  }

  /** Whether the weights are bfloat16, of which there is no other kind of half. */
  TensorElement element() {
    boolean isBfloat = layout.form().isEmpty() && layout.floats() == RowLayout.Floats.BF16;
    return isBfloat ? TensorElement.BF16 : TensorElement.F16;
  }

  /**
   * Where a vector of a piece is, among four lanes and their four loads. Of packed weights a lane
   * has a run of 32, so four vectors in a row; of floats, lanes have neighbouring vectors.
   */
  boolean isByRuns() {
    return layout.form().isPresent();
  }
}
