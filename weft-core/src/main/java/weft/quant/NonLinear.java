package weft.quant;

/** The sixteen levels of IQ4_NL and IQ4_XS. */
final class NonLinear {
  private static final byte[] LEVELS = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };

  /** The level that the value farthest from zero takes. */
  static final int EXTREME = LEVELS[0];

  private NonLinear() {}

  static int level(int index) {
    return LEVELS[index];
  }

  static int nearest(float x) {
    int best = 0;
    for (int i = 1; i < LEVELS.length; i++) {
      if (Math.abs(x - LEVELS[i]) < Math.abs(x - LEVELS[best])) {
        best = i;
      }
    }
    return best;
  }

  static int nearestLevel(float x) {
    return LEVELS[nearest(x)];
  }
}
