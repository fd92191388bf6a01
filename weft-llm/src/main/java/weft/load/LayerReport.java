package weft.load;

/** What leaves one layer: its range, its mean, and how many of its numbers are none. */
public record LayerReport(
    String layer, float min, float max, double mean, long notFinite, long count) {
  static LayerReport of(String layer, float[] values) {
    float min = Float.POSITIVE_INFINITY;
    float max = Float.NEGATIVE_INFINITY;
    double sum = 0;
    long notFinite = 0;
    for (float value : values) {
      if (!Float.isFinite(value)) {
        notFinite++;
        continue;
      }
      min = Math.min(min, value);
      max = Math.max(max, value);
      sum += value;
    }
    long finite = values.length - notFinite;
    return new LayerReport(
        layer, min, max, finite > 0 ? sum / finite : Double.NaN, notFinite, values.length);
  }

  /** This layer's numbers and those of more rows. */
  LayerReport and(LayerReport more) {
    long finite = count - notFinite;
    long moreFinite = more.count - more.notFinite;
    double sum = (finite > 0 ? mean * finite : 0) + (moreFinite > 0 ? more.mean * moreFinite : 0);
    return new LayerReport(
        layer,
        Math.min(min, more.min),
        Math.max(max, more.max),
        finite + moreFinite > 0 ? sum / (finite + moreFinite) : Double.NaN,
        notFinite + more.notFinite,
        count + more.count);
  }

  /** Not what a sound model has: numbers that are none, or one number over and over. */
  boolean isBad() {
    return notFinite > 0 || isFlat();
  }

  private boolean isFlat() {
    return count > 1 && min == max;
  }

  @Override
  public String toString() {
    if (notFinite > 0) {
      return layer + " leaves " + notFinite + " of " + count + " numbers that are not finite";
    }
    return isFlat()
        ? layer + " leaves " + min + " and nothing else"
        : layer + " leaves numbers from " + min + " to " + max;
  }
}
