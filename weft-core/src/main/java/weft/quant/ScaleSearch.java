package weft.quant;

/** Least-squares searches for the scale, or scale and minimum, of a run of values. */
final class ScaleSearch {
  private static final int TRIES = 9;

  /** The whole number a scaled value is stored as. */
  interface Levels {
    int nearest(float scaled);
  }

  /** Values as {@code scale·q − minimum}, neither negative. */
  record Affine(float scale, float minimum) {
    int quant(float x, int highest) {
      return Rounding.clamp((x + minimum) * Rounding.inverse(scale), 0, highest);
    }

    /** The sum of squared differences that this leaves. */
    double error(float[] from, int at, int values, int highest) {
      double error = 0;
      for (int i = at; i < at + values; i++) {
        double difference = scale * quant(from[i], highest) - minimum - from[i];
        error += difference * difference;
      }
      return error;
    }
  }

  private ScaleSearch() {}

  /**
   * The {@code s} for which {@code s·q} comes closest to the values, where the farthest one takes a
   * level around {@code extreme}; it may be negative.
   */
  static float scale(float[] from, int at, int values, int extreme, Levels levels) {
    float farthest = Rounding.farthestFromZero(from, at, values);
    float best = 0;
    double bestGain = 0;
    for (int step = -TRIES; step <= TRIES && farthest != 0; step++) {
      float inverse = (extreme + 0.1f * step) / farthest;
      double xq = 0;
      double qq = 0;
      for (int i = at; i < at + values; i++) {
        int q = levels.nearest(from[i] * inverse);
        xq += from[i] * (double) q;
        qq += (double) q * q;
      }
      // For given q the best s is xq/qq, and it takes xq²/qq off the squared error.
      if (qq > 0 && xq * xq / qq > bestGain) {
        bestGain = xq * xq / qq;
        best = (float) (xq / qq);
      }
    }
    return best;
  }

  /** The squared error that levels under one scale leave. */
  static double error(float[] from, int at, int values, float scale, Levels levels) {
    float inverse = Rounding.inverse(scale);
    double error = 0;
    for (int i = at; i < at + values; i++) {
      double difference = scale * levels.nearest(from[i] * inverse) - from[i];
      error += difference * difference;
    }
    return error;
  }

  /** The scale and minimum for which whole {@code q} from 0 to {@code highest} come closest. */
  static Affine affine(float[] from, int at, int values, int highest) {
    float lowest = Math.min(0, Rounding.smallest(from, at, values));
    float range = Rounding.largest(from, at, values) - lowest;
    if (range <= 0) {
      return new Affine(0, -lowest);
    }
    var best = new Affine(range / highest, -lowest);
    double bestError = best.error(from, at, values, highest);
    for (int step = -TRIES; step <= TRIES; step++) {
      var guess = new Affine(range / (highest + 0.1f * step), -lowest);
      var candidate = refit(from, at, values, highest, guess);
      double error = candidate.error(from, at, values, highest);
      if (error < bestError) {
        bestError = error;
        best = candidate;
      }
    }
    return best;
  }

  /** The line through the values over the quants that a first guess gives them. */
  private static Affine refit(float[] from, int at, int values, int highest, Affine guess) {
    double q = 0;
    double qq = 0;
    double x = 0;
    double xq = 0;
    for (int i = at; i < at + values; i++) {
      int quant = guess.quant(from[i], highest);
      q += quant;
      qq += (double) quant * quant;
      x += from[i];
      xq += from[i] * (double) quant;
    }
    double determinant = values * qq - q * q;
    if (determinant > 0) {
      double scale = (values * xq - x * q) / determinant;
      double minimum = (q * xq - qq * x) / determinant;
      if (scale > 0 && minimum >= 0) {
        return new Affine((float) scale, (float) minimum);
      }
    }
    return new Affine(qq > 0 ? (float) Math.max(0, xq / qq) : 0, 0);
  }
}
