package weft.cpu.kernel.attention;

/**
 * The heads of an attention.
 *
 * @param kvHeads heads of keys and values
 * @param group query heads that share one of them
 * @param keyDim floats in a query and in a key, a multiple of the stored blocks and of 16
 * @param valueDim floats in a value and in a result, likewise
 */
public record HeadSizes(int kvHeads, int group, int keyDim, int valueDim) {
  /** The bytes of a query in floats. */
  long queryBytes() {
    return (long) keyDim * Float.BYTES;
  }

  /** The bytes of all queries of a row. */
  long queryRowBytes() {
    return kvHeads * group * queryBytes();
  }
}
