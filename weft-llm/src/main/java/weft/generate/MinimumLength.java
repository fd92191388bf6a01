package weft.generate;

/** Forbids the stop tokens until enough tokens have come, besides what another mask forbids. */
final class MinimumLength implements Mask {
  private final Mask other;
  private final Stops stops;
  private int chosen;

  MinimumLength(Mask other, Stops stops) {
    this.other = other;
    this.stops = stops;
  }

  @Override
  public void apply(float[] logits) {
    other.apply(logits);
    if (chosen < stops.minTokens()) {
      for (int token : stops.tokens()) {
        if (token >= 0 && token < logits.length) {
          logits[token] = Float.NEGATIVE_INFINITY;
        }
      }
    }
  }

  @Override
  public void chosen(int token) {
    chosen++;
    other.chosen(token);
  }
}
