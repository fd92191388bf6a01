package weft.generate;

import java.util.Arrays;
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
  public int[] forced() {
    int[] tokens = other.forced();
    for (int i = 0; i < tokens.length && chosen + i < minimum; i++) {
      if (stopTokens.contains(tokens[i])) return Arrays.copyOf(tokens, i);
    }
    return tokens;
  }

  @Override
  public void chosen(int token) {
    chosen++;
    other.chosen(token);
  }
}
