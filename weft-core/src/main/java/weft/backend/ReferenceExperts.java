package weft.backend;

import weft.ir.Op;

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
      var choice = ExpertChoice.of(op.routing(), scores, row * experts, experts);
      for (int i = 0; i < choice.experts().length; i++) {
        long expert = choice.experts()[i];
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
              choice.weights()[i] * ReferenceKernels.dot(hidden, 0, weight, 0, inner);
        }
      }
    }
    return out;
  }
}
