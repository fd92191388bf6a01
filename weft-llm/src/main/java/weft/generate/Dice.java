package weft.generate;

/**
 * The n-th number of the sequence that a seed fixes, in [0, 1): SplitMix64 (Steele, Lea, Flood,
 * "Fast Splittable Pseudorandom Number Generators", 2014) started at the mixed seed. Having no
 * state but the seed, it cannot differ between JVMs or by the order of calls.
 */
record Dice(long seed) {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  double roll(long n) {
    // Without mixing first, nearby seeds that differ by the gamma would give shifted sequences.
    long bits = mix(mix(seed) + (n + 1) * GOLDEN_GAMMA);
    return (bits >>> 11) * 0x1p-53;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
