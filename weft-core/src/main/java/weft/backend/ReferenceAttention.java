package weft.backend;

import weft.ir.Op;
import weft.ir.Slot;

/** Attention as the formula says it, a row and a head at a time. */
final class ReferenceAttention {
  private ReferenceAttention() {}

  static float[] eval(Op.Attend op, ReferenceKernels.Context context) {
    var slot = op.slot();
    var q = context.numbers(op.q());
    var k = context.numbers(op.k());
    var v = context.numbers(op.v());
    int heads = op.q().type().dim(1).fixed();
    var out = new float[q.length / slot.keyDim() * slot.valueDim()];
    int row = 0;
    for (var part : context.step().parts()) {
      var memory = HostState.of(part.state()).keyValues(slot);
      int position = part.state().position();
      for (int i = 0; i < part.rows(); i++) store(slot, memory, position + i, k, v, row + i);
      for (int i = 0; i < part.rows(); i++, row++) {
        for (int head = 0; head < heads; head++) {
          int first = slot.firstSeen(position + i, position + part.first(i));
          attend(op, memory, first, position + part.last(i), head, heads, q, out, row);
        }
      }
    }
    return out;
  }

  private static void store(
      Slot.KeyValue slot, HostPages memory, int position, float[] k, float[] v, int row) {
    var layout = memory.layout();
    var page = memory.page(position);
    for (int head = 0; head < slot.heads(); head++) {
      int at = row * slot.heads() + head;
      layout
          .encoding()
          .encode(k, at * slot.keyDim(), slot.keyDim(), page, layout.keyAt(head, position));
      layout
          .encoding()
          .encode(v, at * slot.valueDim(), slot.valueDim(), page, layout.valueAt(head, position));
    }
  }

  private static void attend(
      Op.Attend op,
      HostPages memory,
      int first,
      int last,
      int head,
      int heads,
      float[] q,
      float[] out,
      int row) {
    var slot = op.slot();
    int kvHead = head / (heads / slot.heads());
    int count = last - first + 1;
    var weights = new double[count];
    var key = new float[slot.keyDim()];
    double max = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      decode(memory, first + i, memory.layout().keyAt(kvHead, first + i), key);
      double score =
          ReferenceKernels.dot(q, (row * heads + head) * slot.keyDim(), key, 0, slot.keyDim())
              * op.scores().scale();
      float cap = op.scores().softCap();
      weights[i] = cap > 0 ? cap * Math.tanh(score / cap) : score;
      max = Math.max(max, weights[i]);
    }
    double total = 0;
    for (int i = 0; i < count; i++) total += weights[i] = Math.exp(weights[i] - max);
    var value = new float[slot.valueDim()];
    var sum = new double[slot.valueDim()];
    for (int i = 0; i < count; i++) {
      decode(memory, first + i, memory.layout().valueAt(kvHead, first + i), value);
      for (int d = 0; d < sum.length; d++) sum[d] += weights[i] / total * value[d];
    }
    for (int d = 0; d < sum.length; d++) {
      out[(row * heads + head) * slot.valueDim() + d] = (float) sum[d];
    }
  }

  private static void decode(HostPages memory, int position, long offset, float[] to) {
    memory.layout().encoding().decode(memory.page(position), offset, to, 0, to.length);
  }
}
