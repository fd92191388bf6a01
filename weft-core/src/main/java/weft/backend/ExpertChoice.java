package weft.backend;

import weft.ir.Routing;

/**
 * The experts of one row, best first and the lower number on a tie, and how much each counts. They
 * are different ones whatever the scores are: a score that is no number counts as the lowest.
 */
public record ExpertChoice(int[] experts, float[] weights) {
  public static ExpertChoice of(Routing routing, float[] scores, int at, int count) {
    var probabilities = probabilities(routing.scoring(), scores, at, count);
    var experts = new int[routing.used()];
    var weights = new float[routing.used()];
    var taken = new boolean[count];
    double total = 0;
    for (int i = 0; i < experts.length; i++) {
      int best = -1;
      for (int e = 0; e < count; e++) {
        if (!taken[e] && (best < 0 || rank(scores[at + e]) > rank(scores[at + best]))) best = e;
      }
      taken[best] = true;
      experts[i] = best;
      weights[i] = (float) probabilities[best];
      total += probabilities[best];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] =
          switch (routing.weights()) {
            case AS_SCORED -> weights[i] * routing.scale();
            case RENORMALIZED -> (float) (weights[i] / total) * routing.scale();
          };
    }
    return new ExpertChoice(experts, weights);
  }

  /**
   * What is compared: scores, since the probabilities of different ones can round to the same, and
   * of scores that are no numbers there are none.
   */
  private static float rank(float score) {
    return Float.isNaN(score) ? Float.NEGATIVE_INFINITY : score;
  }

  private static double[] probabilities(
      Routing.Scoring scoring, float[] scores, int at, int count) {
    var out = new double[count];
    switch (scoring) {
      case SIGMOID -> {
        for (int e = 0; e < count; e++) out[e] = 1 / (1 + Math.exp(-scores[at + e]));
      }
      case SOFTMAX -> {
        double max = Double.NEGATIVE_INFINITY;
        for (int e = 0; e < count; e++) max = Math.max(max, scores[at + e]);
        double total = 0;
        for (int e = 0; e < count; e++) total += out[e] = Math.exp(scores[at + e] - max);
        for (int e = 0; e < count; e++) out[e] /= total;
      }
    }
    return out;
  }
}
