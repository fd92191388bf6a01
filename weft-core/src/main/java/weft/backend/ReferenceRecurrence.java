package weft.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.ir.Op;

/** The recurrent state ops, one token after the other. */
final class ReferenceRecurrence {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private ReferenceRecurrence() {}

  static float[] eval(Op.ShortConv op, ReferenceKernels.Context context) {
    int channels = op.slot().channels();
    int taps = op.slot().taps();
    var x = context.numbers(op.x());
    var w = context.numbers(op.w());
    var out = new float[x.length];
    int row = 0;
    for (var part : context.step().parts()) {
      var state = HostState.of(part.state()).recurrent(op.slot());
      for (int i = 0; i < part.rows(); i++, row++) {
        for (int c = 0; c < channels; c++) {
          float now = x[row * channels + c];
          double sum = (double) now * w[c * (taps + 1) + taps];
          for (int t = 0; t < taps; t++) {
            sum +=
                (double) state.getAtIndex(FLOAT, (long) t * channels + c) * w[c * (taps + 1) + t];
          }
          out[row * channels + c] = (float) sum;
        }
        shift(state, taps, channels, x, row);
      }
    }
    return out;
  }

  private static void shift(MemorySegment state, int taps, int channels, float[] x, int row) {
    long rowBytes = (long) channels * Float.BYTES;
    if (taps == 0) return;
    MemorySegment.copy(state, rowBytes, state, 0, (taps - 1) * rowBytes);
    MemorySegment.copy(x, row * channels, state, FLOAT, (taps - 1) * rowBytes, channels);
  }

  static float[] eval(Op.DeltaRule op, ReferenceKernels.Context context) {
    var slot = op.slot();
    var q = context.numbers(op.q());
    var k = context.numbers(op.k());
    var v = context.numbers(op.v());
    var decay = context.numbers(op.decay());
    var beta = context.numbers(op.beta());
    int keyHeads = op.k().type().dim(1).fixed();
    int perKey = slot.heads() / keyHeads;
    var out = new float[v.length];
    int row = 0;
    for (var part : context.step().parts()) {
      var memory = HostState.of(part.state()).recurrent(slot);
      var state = memory.toArray(FLOAT);
      for (int i = 0; i < part.rows(); i++, row++) {
        for (int h = 0; h < slot.heads(); h++) {
          int keyHead =
              switch (op.grouping()) {
                case BLOCKED -> h / perKey;
                case TILED -> h % keyHeads;
              };
          int keyAt = (row * keyHeads + keyHead) * slot.keyDim();
          int valueAt = (row * slot.heads() + h) * slot.valueDim();
          int gate = row * slot.heads() + h;
          advance(op, state, h, q, k, keyAt, v, valueAt, decay[gate], beta[gate], out);
        }
      }
      MemorySegment.copy(state, 0, memory, FLOAT, 0, state.length);
    }
    return out;
  }

  private static void advance(
      Op.DeltaRule op,
      float[] state,
      int head,
      float[] q,
      float[] k,
      int keyAt,
      float[] v,
      int valueAt,
      float decay,
      float beta,
      float[] out) {
    int keyDim = op.slot().keyDim();
    int valueDim = op.slot().valueDim();
    int base = head * keyDim * valueDim;
    for (int i = 0; i < keyDim * valueDim; i++) state[base + i] *= decay;
    for (int d = 0; d < valueDim; d++) {
      double known = 0;
      for (int j = 0; j < keyDim; j++)
        known += (double) k[keyAt + j] * state[base + j * valueDim + d];
      float change = (float) (beta * (v[valueAt + d] - known));
      double sum = 0;
      for (int j = 0; j < keyDim; j++) {
        int at = base + j * valueDim + d;
        state[at] += k[keyAt + j] * change;
        sum += (double) q[keyAt + j] * state[at];
      }
      out[valueAt + d] = (float) sum;
    }
  }
}
