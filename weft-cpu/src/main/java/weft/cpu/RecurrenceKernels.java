package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import weft.backend.HostState;
import weft.backend.Step;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * The state ops of recurrent layers: tokens in turn, workers side by side over channels or heads.
 */
final class RecurrenceKernels {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private RecurrenceKernels() {}

  record ShortConv(Slot.Conv slot, Rows2d x, float[] w, Rows2d result) implements BoundKernel {
    @Override
    public String name() {
      return "shortconv";
    }

    @Override
    public void run(Step step, int phase, Worker worker) {
      int taps = slot.taps();
      int from = worker.from(slot.channels());
      int to = worker.to(slot.channels());
      int row = 0;
      for (var part : step.parts()) {
        var state = ((HostState) part.state()).recurrent(slot);
        for (int i = 0; i < part.rows(); i++, row++) {
          for (int c = from; c < to; c++) {
            float now = x.get(row, c);
            float sum = now * w[c * (taps + 1) + taps];
            for (int t = 0; t < taps; t++) {
              long at = (long) t * slot.channels() + c;
              float past = state.getAtIndex(FLOAT, at);
              sum += past * w[c * (taps + 1) + t];
              if (t > 0) state.setAtIndex(FLOAT, at - slot.channels(), past);
            }
            if (taps > 0) state.setAtIndex(FLOAT, (taps - 1L) * slot.channels() + c, now);
            result.set(row, c, sum);
          }
        }
      }
    }
  }

  record DeltaRule(
      Slot.Delta slot,
      Op.Grouping grouping,
      Heads3d q,
      Heads3d k,
      Heads3d v,
      Rows2d decay,
      Rows2d beta,
      Heads3d result)
      implements BoundKernel {
    @Override
    public String name() {
      return "deltarule";
    }

    @Override
    public void run(Step step, int phase, Worker worker) {
      for (int head = worker.from(slot.heads()); head < worker.to(slot.heads()); head++) {
        int row = 0;
        for (var part : step.parts()) {
          head(((HostState) part.state()).recurrent(slot), head, row, part.rows(), worker);
          row += part.rows();
        }
      }
    }

    private void head(MemorySegment memory, int head, int first, int rows, Worker worker) {
      int keyDim = slot.keyDim();
      int valueDim = slot.valueDim();
      int keyHead =
          switch (grouping) {
            case BLOCKED -> head / (slot.heads() / k.heads());
            case TILED -> head % k.heads();
          };
      int size = keyDim * valueDim;
      var state = worker.scratch(size);
      var rest = worker.more(2 * keyDim + 2 * valueDim);
      MemorySegment.copy(memory, FLOAT, (long) head * size * Float.BYTES, state, 0, size);
      int keyAt = keyDim;
      int valueAt = 2 * keyDim;
      int knownAt = valueAt + valueDim;
      for (int row = first; row < first + rows; row++) {
        q.read(row, keyHead, rest, 0);
        k.read(row, keyHead, rest, keyAt);
        v.read(row, head, rest, valueAt);
        step(state, rest, keyAt, valueAt, knownAt, decay.get(row, head), beta.get(row, head));
        result.write(row, head, rest, knownAt);
      }
      MemorySegment.copy(state, 0, memory, FLOAT, (long) head * size * Float.BYTES, size);
    }

    /** One token: what is known of the key is corrected towards the value, then the query reads. */
    private void step(
        float[] state, float[] x, int keyAt, int valueAt, int knownAt, float decay, float beta) {
      int keyDim = slot.keyDim();
      int n = slot.valueDim();
      java.util.Arrays.fill(x, knownAt, knownAt + n, 0);
      for (int j = 0; j < keyDim; j++) {
        scaleAndAdd(state, j * n, n, decay, x, knownAt, x[keyAt + j]);
      }
      for (int d = 0; d < n; d++) x[valueAt + d] = beta * (x[valueAt + d] - x[knownAt + d]);
      java.util.Arrays.fill(x, knownAt, knownAt + n, 0);
      for (int j = 0; j < keyDim; j++) {
        correctAndRead(state, j * n, n, x, valueAt, x[keyAt + j], knownAt, x[j]);
      }
    }

    /** {@code state *= decay; sum += key * state}. */
    private static void scaleAndAdd(
        float[] state, int at, int n, float decay, float[] x, int sum, float key) {
      int d = 0;
      for (; d + Lanes.COUNT <= n; d += Lanes.COUNT) {
        var s = Lanes.floats(state, at + d).mul(decay);
        s.intoArray(state, at + d);
        var k = FloatVector.broadcast(Lanes.FLOATS, key);
        s.fma(k, Lanes.floats(x, sum + d)).intoArray(x, sum + d);
      }
      for (; d < n; d++) {
        state[at + d] *= decay;
        x[sum + d] += key * state[at + d];
      }
    }

    /** {@code state += key * change; out += query * state}. */
    private static void correctAndRead(
        float[] state, int at, int n, float[] x, int change, float key, int out, float query) {
      int d = 0;
      for (; d + Lanes.COUNT <= n; d += Lanes.COUNT) {
        var k = FloatVector.broadcast(Lanes.FLOATS, key);
        var s = Lanes.floats(x, change + d).fma(k, Lanes.floats(state, at + d));
        s.intoArray(state, at + d);
        var q = FloatVector.broadcast(Lanes.FLOATS, query);
        s.fma(q, Lanes.floats(x, out + d)).intoArray(x, out + d);
      }
      for (; d < n; d++) {
        state[at + d] += key * x[change + d];
        x[out + d] += query * state[at + d];
      }
    }
  }
}
