package weft.net;

import java.util.Arrays;

/**
 * Rotary positions (arXiv:2104.09864): how many elements of a head turn, how fast each pair turns
 * after any scaling to longer contexts, and which elements are a pair.
 */
public record Rope(double[] inverseFrequencies, Pairing pairing, double scale) {
  public enum Pairing {
    /** Element i turns with i + half. */
    HALVES,
    /** Element 2i turns with 2i + 1. */
    NEIGHBOURS
  }

  /** {@code theta^(-2i/dims)} for each pair. */
  public static Rope plain(int dims, double theta) {
    if (dims < 2 || dims % 2 != 0) {
      throw new ModelException("rope turns pairs, so its dimensions must be even, got " + dims);
    }
    if (!(theta > 0))
      throw new ModelException("rope.freq_base is " + theta + ", expected it positive");
    var inverse = new double[dims / 2];
    for (int i = 0; i < inverse.length; i++) inverse[i] = Math.pow(theta, -2.0 * i / dims);
    return new Rope(inverse, Pairing.HALVES, 1);
  }

  /** The rope that the keys under {@code rope.} describe, for heads of this size. */
  public static Rope of(Meta meta, int headDim) {
    int turned =
        meta.value("rope.dimension_count").isPresent()
            ? meta.integer("rope.dimension_count")
            : (int) (headDim * meta.real("rope.partial_factor", 1));
    if (turned > headDim) {
      throw new ModelException(
          "rope.dimension_count is " + turned + ", more than the head's " + headDim);
    }
    return RopeScaling.apply(meta, plain(turned, meta.real("rope.freq_base", 10_000)));
  }

  public Rope paired(Pairing as) {
    return new Rope(inverseFrequencies, as, scale);
  }

  public int dims() {
    return 2 * inverseFrequencies.length;
  }

  /** The table of speeds, divided by the checkpoint's own factors where it brings them. */
  Tensor frequencies(Net net) {
    var table = net.constant(inverseFrequencies);
    // GGUF writes llama3's scaling as a tensor of divisors instead of keys.
    var outer = net.root();
    return outer.has("rope_freqs.weight")
        ? table.over(outer.parameter("rope_freqs.weight", inverseFrequencies.length))
        : table;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rope r
        && Arrays.equals(inverseFrequencies, r.inverseFrequencies)
        && pairing == r.pairing
        && scale == r.scale;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(inverseFrequencies);
  }

  @Override
  public String toString() {
    return "Rope[" + dims() + " of " + pairing + " x" + scale + "]";
  }
}
