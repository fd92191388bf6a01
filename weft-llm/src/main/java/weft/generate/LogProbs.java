package weft.generate;

import java.util.ArrayList;
import java.util.List;
import weft.generate.Piece.Alternative;

/** The log-softmax of a row of logits as the model gave it. */
final class LogProbs {
  private final float[] logits;
  private final double normalizer;

  LogProbs(float[] logits) {
    this.logits = logits;
    float greatest = Float.NEGATIVE_INFINITY;
    for (float logit : logits) {
      greatest = Math.max(greatest, logit);
    }
    double sum = 0;
    for (float logit : logits) {
      sum += Math.exp((double) logit - greatest);
    }
    normalizer = greatest + Math.log(sum);
  }

  double of(int token) {
    return logits[token] - normalizer;
  }

  List<Alternative> likeliest(int count, int[] ranks) {
    int found = Best.select(logits, logits.length, Math.min(count, logits.length), ranks);
    List<Alternative> likeliest = new ArrayList<>(found);
    for (int i = 0; i < found; i++) {
      likeliest.add(new Alternative(ranks[i], of(ranks[i])));
    }
    return likeliest;
  }
}
