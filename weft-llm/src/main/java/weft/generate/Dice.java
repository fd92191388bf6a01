package weft.generate;

/**
 * A number in (0, 1] for each token at each draw, which a seed fixes: SplitMix64 (Steele, Lea,
 * Flood, "Fast Splittable Pseudorandom Number Generators", 2014) gives each draw a number, and
 * begun at that each token its own. Having no state but the seed, it cannot differ between JVMs or
 * by the order of calls.
 */
record Dice(long seed) {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  double roll(long draw, int token) {
    // Without mixing first, nearby seeds that differ by the gamma would give shifted sequences.
    long state = bits(mix(seed), draw);
    return ((bits(state, token) >>> 11) + 1) * 0x1p-53;
  }

  /** The n-th number of SplitMix64 from a state. */
  static long bits(long state, long n) {
    return mix(state + (n + 1) * GOLDEN_GAMMA);
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
