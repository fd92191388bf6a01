package weft.conformance;

import weft.backend.KvType;

/**
 * What may differ between two right ways to compute a row. Every row is made so that its outputs
 * are about 1; a tolerance is relative to the largest number of an output, or to 1 if that is less.
 */
enum Exactness {
  /**
   * The same sums in another order. A sum of n products of size 1/sqrt(n) rounds n times by at most
   * 2^-24 of a partial sum below sqrt(n): under 1e-5 for the kit's n of at most 800, twice over.
   */
  SUMS(2e-5f),

  /** The same for n of up to 16,384, whose bound grows with its root. */
  LONG_SUMS(1e-4f),

  /**
   * A packed weight may meet its activations as bytes. 32 or 256 numbers of size 1 share a scale of
   * about 1.7/127 after a norm, so a product's error has a deviation of 1.7/127/2 = 0.007; five of
   * them are hardly ever seen. (Rows without a norm use activations that are exact as bytes.)
   */
  ACTIVATIONS_AS_BYTES(3.5e-2f),

  /** A weight that is no half becomes the nearest, 2^-12 of it away at the most: 1e-3 in all. */
  WEIGHTS_AS_HALVES(1e-3f),

  /**
   * Where rows that are read meet weights of 16 bits, both may be words under scales of 32 numbers:
   * 5e-5 of their size is the deviation of each, so five of a product's are 4e-4.
   */
  NUMBERS_AS_WORDS(1e-3f),

  /** A key that differs in its last bit may be stored as the next half, 2^-11 away. */
  HALF_STATE(1e-3f),

  /** ... or as the next of 127 bytes. */
  BYTE_STATE(1e-2f);

  private final float tolerance;

  Exactness(float tolerance) {
    this.tolerance = tolerance;
  }

  /** The largest difference from numbers whose largest magnitude is given. */
  float tolerance(float largest) {
    return tolerance * Math.max(1, largest);
  }

  boolean isWithin(Exactness other) {
    return tolerance <= other.tolerance;
  }

  static Exactness of(KvType kvType) {
    return switch (kvType) {
      case F32 -> SUMS;
      case F16 -> HALF_STATE;
      case Q8_0 -> BYTE_STATE;
    };
  }
}
