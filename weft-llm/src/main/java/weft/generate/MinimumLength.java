package weft.generate;

import java.util.Set;

/** Forbids the stop tokens until enough tokens have come, besides what another mask forbids. */
final class MinimumLength implements Mask {
  private final Mask other;
  private final int minimum;
  private final Set<Integer> stopTokens;
  private int chosen;

  MinimumLength(Mask other, int minimum, Set<Integer> stopTokens) {
    this.other = other;
    this.minimum = minimum;
    this.stopTokens = stopTokens;
  }

  @Override
  public void apply(float[] logits) {
    other.apply(logits);
    if (chosen < minimum) {
      for (int token : stopTokens) {
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
