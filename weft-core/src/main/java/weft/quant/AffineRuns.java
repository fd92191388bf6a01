package weft.quant;

import weft.quant.ScaleSearch.Affine;

/**
 * The two-level quantization of Q2_K, Q4_K and Q5_K: runs of values as {@code d·scale·q −
 * dmin·minimum}, where {@code d} and {@code dmin} are half floats for the whole block.
 */
record AffineRuns(int runs, int length, int highestQuant, int highestScale) {
  /** A fitted block: scale and minimum by run, quant by value. */
  record Fit(float d, float dmin, int[] scales, int[] minimums, int[] quants) {
    Affine affine(int scale, int minimum) {
      return new Affine(d * scale, dmin * minimum);
    }
  }

  Fit fit(float[] from, int at) {
    var wanted = new Affine[runs];
    float largestScale = 0;
    float largestMinimum = 0;
    for (int run = 0; run < runs; run++) {
      wanted[run] = ScaleSearch.affine(from, at + run * length, length, highestQuant);
      largestScale = Math.max(largestScale, wanted[run].scale());
      largestMinimum = Math.max(largestMinimum, wanted[run].minimum());
    }
    float d = Rounding.toHalf(largestScale / highestScale);
    float dmin = Rounding.toHalf(largestMinimum / highestScale);
    var fit = new Fit(d, dmin, new int[runs], new int[runs], new int[runs * length]);
    for (int run = 0; run < runs; run++) {
      chooseScale(from, at, run, wanted[run], fit);
      var chosen = fit.affine(fit.scales[run], fit.minimums[run]);
      for (int i = run * length; i < (run + 1) * length; i++) {
        fit.quants[i] = chosen.quant(from[at + i], highestQuant);
      }
    }
    return fit;
  }

  /** Where one run needs a far larger scale than another, the nearest one is often not the best. */
  private void chooseScale(float[] from, int at, int run, Affine wanted, Fit fit) {
    int nearScale = Rounding.clamp(wanted.scale() * Rounding.inverse(fit.d), 0, highestScale);
    int nearMinimum =
        Rounding.clamp(wanted.minimum() * Rounding.inverse(fit.dmin), 0, highestScale);
    double best = Double.POSITIVE_INFINITY;
    for (int scale = nearScale - 1; scale <= nearScale + 1; scale++) {
      for (int minimum = nearMinimum - 1; minimum <= nearMinimum + 1; minimum++) {
        if (scale < 0 || minimum < 0 || scale > highestScale || minimum > highestScale) {
          continue;
        }
        double error =
            fit.affine(scale, minimum).error(from, at + run * length, length, highestQuant);
        if (error < best) {
          best = error;
          fit.scales[run] = scale;
          fit.minimums[run] = minimum;
        }
      }
    }
  }
}
