package weft.load;

/** What leaves one layer: its range, its mean, and how many of its numbers are none. */
public record LayerReport(
    String layer, float min, float max, double mean, long notFinite, long count) {
  static LayerReport of(String layer, float[] values, int rows, int width) {
    float min = Float.POSITIVE_INFINITY;
    float max = Float.NEGATIVE_INFINITY;
    double sum = 0;
    long bad = 0;
    int count = rows * width;
    for (int i = 0; i < count; i++) {
      if (!Float.isFinite(values[i])) {
        bad++;
        continue;
      }
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
      sum += values[i];
    }
    return new LayerReport(
        layer, min, max, count > bad ? sum / (count - bad) : Double.NaN, bad, count);
  }

  boolean isBad() {
    return notFinite > 0;
  }

  @Override
  public String toString() {
    return notFinite > 0
        ? layer + " leaves " + notFinite + " of " + count + " numbers that are not finite"
        : layer + " leaves numbers from " + min + " to " + max;
  }
}
