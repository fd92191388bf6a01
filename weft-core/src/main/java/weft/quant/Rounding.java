package weft.quant;

/** The roundings and reductions that the encoders share. */
final class Rounding {
  private Rounding() {}

  /** To the nearest whole number, halves away from zero, as C's {@code roundf}. */
  static int halfAway(float x) {
    // In double the sum is exact, where in float 0.49999997f + 0.5f is already 1.
    return (int) (x + Math.copySign(0.5, x));
  }

  /** The reciprocal of a scale; a block of zeros has scale zero, and its values stay zero. */
  static float inverse(float scale) {
    return scale == 0 ? 0 : 1 / scale;
  }

  static float largestMagnitude(float[] from, int at, int values) {
    float largest = 0;
    for (int i = at; i < at + values; i++) {
      largest = Math.max(largest, Math.abs(from[i]));
    }
    return largest;
  }

  /** The first value, sign and all, that no other exceeds in magnitude. */
  static float farthestFromZero(float[] from, int at, int values) {
    float farthest = 0;
    for (int i = at; i < at + values; i++) {
      if (Math.abs(from[i]) > Math.abs(farthest)) {
        farthest = from[i];
      }
    }
    return farthest;
  }

  static float smallest(float[] from, int at, int values) {
    float smallest = from[at];
    for (int i = at + 1; i < at + values; i++) {
      smallest = Math.min(smallest, from[i]);
    }
    return smallest;
  }

  static float largest(float[] from, int at, int values) {
    float largest = from[at];
    for (int i = at + 1; i < at + values; i++) {
      largest = Math.max(largest, from[i]);
    }
    return largest;
  }

  /** The nearest whole number within the bounds. */
  static int clamp(float x, int lowest, int highest) {
    return Math.clamp(Math.round(x), lowest, highest);
  }

  /** The value that a half float keeps of {@code x}. */
  static float toHalf(float x) {
    return Float.float16ToFloat(Float.floatToFloat16(x));
  }
}
