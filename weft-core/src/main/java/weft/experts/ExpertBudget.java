package weft.experts;

/** How many experts of a model may lie in memory at once. */
public sealed interface ExpertBudget {
  /**
   * The experts that fit, of all layers together and no more than there are; 0 where none does.
   *
   * @param experts of a layer
   * @param bytes of the largest expert
   */
  int slots(int layers, int experts, long bytes);

  /** So much memory for the experts of all layers. */
  record Bytes(long bytes) implements ExpertBudget {
    public Bytes {
      if (bytes < 1) {
        throw new IllegalArgumentException("experts take at least 1 byte of memory, got " + bytes);
      }
    }

    @Override
    public int slots(int layers, int experts, long each) {
      return (int) Math.min((long) layers * experts, bytes / each);
    }
  }

  /**
   * So many experts for each layer; a layer whose experts are wanted more may have more of them.
   */
  record ALayer(int count) implements ExpertBudget {
    /** More than the experts of any layer. */
    public static final int MOST = 1 << 16;

    public ALayer {
      if (count < 1 || count > MOST) {
        throw new IllegalArgumentException("a layer keeps 1 to " + MOST + " experts, got " + count);
      }
    }

    @Override
    public int slots(int layers, int experts, long each) {
      return layers * Math.min(count, experts);
    }
  }
}
