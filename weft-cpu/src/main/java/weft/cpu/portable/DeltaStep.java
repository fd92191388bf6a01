package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import weft.cpu.launch.Rows2d;

/** The gated delta rule a token at a time: two passes over the state where it lies. */
public final class DeltaStep {
  private final int keyDim;
  private final int valueDim;

  DeltaStep(int keyDim, int valueDim) {
    this.keyDim = keyDim;
    this.valueDim = valueDim;
  }

  /** The floats that a token needs besides the state. */
  int scratch() {
    return 2 * keyDim + 2 * valueDim;
  }

  int queryAt() {
    return 0;
  }

  int keyAt() {
    return keyDim;
  }

  int valueAt() {
    return 2 * keyDim;
  }

  int outputAt() {
    return 2 * keyDim + valueDim;
  }

  /** What is known of the key is corrected towards the value, then the query reads. */
  void run(MemorySegment state, float[] x, float decay, float beta) {
    int n = valueDim;
    int value = valueAt();
    int out = outputAt();
    Arrays.fill(x, out, out + n, 0);
    for (int j = 0; j < keyDim; j++) scaleAndAdd(state, row(j), n, decay, x, out, x[keyAt() + j]);
    for (int d = 0; d < n; d++) x[value + d] = beta * (x[value + d] - x[out + d]);
    Arrays.fill(x, out, out + n, 0);
    for (int j = 0; j < keyDim; j++) {
      correctAndRead(state, row(j), n, x, value, x[keyAt() + j], out, x[queryAt() + j]);
    }
  }

  private long row(int key) {
    return (long) key * valueDim * Float.BYTES;
  }

  /** {@code state *= decay; sum += key * state}. */
  private static void scaleAndAdd(
      MemorySegment state, long at, int n, float decay, float[] x, int sum, float key) {
    int d = 0;
    for (; d + Lanes.COUNT <= n; d += Lanes.COUNT) {
      var s = Lanes.floats(state, at + 4L * d).mul(decay);
      Lanes.store(s, state, at + 4L * d);
      var k = FloatVector.broadcast(Lanes.FLOATS, key);
      s.fma(k, Lanes.floats(x, sum + d)).intoArray(x, sum + d);
    }
    for (; d < n; d++) {
      float s = state.get(Rows2d.FLOAT, at + 4L * d) * decay;
      state.set(Rows2d.FLOAT, at + 4L * d, s);
      x[sum + d] += key * s;
    }
  }

  /** {@code state += key * change; out += query * state}. */
  private static void correctAndRead(
      MemorySegment state, long at, int n, float[] x, int change, float key, int out, float query) {
    int d = 0;
    for (; d + Lanes.COUNT <= n; d += Lanes.COUNT) {
      var k = FloatVector.broadcast(Lanes.FLOATS, key);
      var s = Lanes.floats(x, change + d).fma(k, Lanes.floats(state, at + 4L * d));
      Lanes.store(s, state, at + 4L * d);
      var q = FloatVector.broadcast(Lanes.FLOATS, query);
      s.fma(q, Lanes.floats(x, out + d)).intoArray(x, out + d);
    }
    for (; d < n; d++) {
      float s = state.get(Rows2d.FLOAT, at + 4L * d) + key * x[change + d];
      state.set(Rows2d.FLOAT, at + 4L * d, s);
      x[out + d] += query * s;
    }
  }
}
