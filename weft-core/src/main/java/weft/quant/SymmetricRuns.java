package weft.quant;

/**
 * The two-level quantization of Q3_K, Q6_K and IQ4_XS: runs of values as {@code d·scale·q}, where
 * {@code d} is a half float for the whole block and {@code scale} runs from {@code −scaleLimit} to
 * {@code scaleLimit − 1}.
 */
record SymmetricRuns(int runs, int length, int scaleLimit, int extreme, ScaleSearch.Levels levels) {
  /** A fitted block: scale by run, quant by value, both signed. */
  record Fit(float d, int[] scales, int[] quants) {}

  Fit fit(float[] from, int at) {
    var wanted = new float[runs];
    for (int run = 0; run < runs; run++) {
      wanted[run] = ScaleSearch.scale(from, at + run * length, length, extreme, levels);
    }
    // The farthest scale takes the end of the range that reaches one step farther.
    float d = Rounding.toHalf(Rounding.farthestFromZero(wanted, 0, runs) / -scaleLimit);
    var fit = new Fit(d, new int[runs], new int[runs * length]);
    for (int run = 0; run < runs; run++) {
      fit.scales[run] = chooseScale(from, at + run * length, wanted[run], d);
      float inverse = Rounding.inverse(d * fit.scales[run]);
      for (int i = run * length; i < (run + 1) * length; i++) {
        fit.quants[i] = levels.nearest(from[at + i] * inverse);
      }
    }
    return fit;
  }

  /** Where one run needs a far larger scale than another, the nearest one is often not the best. */
  private int chooseScale(float[] from, int at, float wanted, float d) {
    int near = Rounding.clamp(wanted * Rounding.inverse(d), -scaleLimit, scaleLimit - 1);
    int best = near;
    double bestError = Double.POSITIVE_INFINITY;
    for (int scale = near - 1; scale <= near + 1; scale++) {
      if (scale < -scaleLimit || scale >= scaleLimit) {
        continue;
      }
      double error = ScaleSearch.error(from, at, length, d * scale, levels);
      if (error < bestError) {
        bestError = error;
        best = scale;
      }
    }
    return best;
  }
}
