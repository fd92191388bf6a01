package weft.backend;

import weft.ir.Op;
import weft.ir.Routing;

/** The mixture of experts, row by row: score, choose, and sum what the chosen say. */
final class ReferenceExperts {
  private ReferenceExperts() {}

  static float[] eval(Op.Experts op, ReferenceKernels.Context context) {
    var x = context.numbers(op.x());
    var scores = context.numbers(op.scores());
    var gate = context.weight(op.gate());
    var up = context.weight(op.up());
    var down = context.weight(op.down());
    int width = op.x().type().width();
    int inner = op.gate().type().dim(1).fixed();
    int experts = op.scores().type().width();
    var out = new float[x.length];
    var weight = new float[Math.max(width, inner)];
    for (int row = 0; row < x.length / width; row++) {
      var choice = choose(op.routing(), scores, row * experts, experts);
      for (int i = 0; i < choice.experts.length; i++) {
        long expert = choice.experts[i];
        var hidden = new float[inner];
        for (int j = 0; j < inner; j++) {
          gate.decodeRow(expert * inner + j, weight, 0);
          float g = ReferenceKernels.dot(x, row * width, weight, 0, width);
          up.decodeRow(expert * inner + j, weight, 0);
          hidden[j] = op.fn().apply(g) * ReferenceKernels.dot(x, row * width, weight, 0, width);
        }
        for (int j = 0; j < width; j++) {
          down.decodeRow(expert * width + j, weight, 0);
          out[row * width + j] +=
              choice.weights[i] * ReferenceKernels.dot(hidden, 0, weight, 0, inner);
        }
      }
    }
    return out;
  }

  /** The experts of one row, best first, and how much each counts. */
  public record Choice(int[] experts, float[] weights) {}

  static Choice choose(Routing routing, float[] scores, int at, int count) {
    var probabilities = probabilities(routing.scoring(), scores, at, count);
    var experts = new int[routing.used()];
    var weights = new float[routing.used()];
    var taken = new boolean[count];
    double total = 0;
    for (int i = 0; i < experts.length; i++) {
      int best = -1;
      for (int e = 0; e < count; e++) {
        if (!taken[e] && (best < 0 || probabilities[e] > probabilities[best])) best = e;
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
    return new Choice(experts, weights);
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
