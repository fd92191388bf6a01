package weft.cpu;

import static jdk.incubator.vector.VectorOperators.ADD;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/**
 * Products of one row with up to four unpacked weight rows at once: four chains hide the latency.
 */
final class Tiles {
  private Tiles() {}

  static void products(Rows2d x, int row, float[] panel, int height, int n, float[] to, int at) {
    products(x.memory(), x.at(row, 0), panel, height, n, to, at);
  }

  /** Products of the {@code n} floats at byte {@code from}, to {@code to[at ..]}. */
  static void products(
      MemorySegment x, long from, float[] panel, int height, int n, float[] to, int at) {
    if (height == 4) {
      four(x, from, panel, n, to, at);
      return;
    }
    for (int k = 0; k < height; k++) to[at + k] = one(x, from, panel, k * n, n);
  }

  private static void four(MemorySegment x, long from, float[] panel, int n, float[] to, int at) {
    var a = FloatVector.zero(Lanes.FLOATS);
    var b = FloatVector.zero(Lanes.FLOATS);
    var c = FloatVector.zero(Lanes.FLOATS);
    var d = FloatVector.zero(Lanes.FLOATS);
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      var v = Lanes.floats(x, from + 4L * i);
      a = v.fma(Lanes.floats(panel, i), a);
      b = v.fma(Lanes.floats(panel, n + i), b);
      c = v.fma(Lanes.floats(panel, 2 * n + i), c);
      d = v.fma(Lanes.floats(panel, 3 * n + i), d);
    }
    to[at] = a.reduceLanes(ADD);
    to[at + 1] = b.reduceLanes(ADD);
    to[at + 2] = c.reduceLanes(ADD);
    to[at + 3] = d.reduceLanes(ADD);
    for (; i < n; i++) {
      float v = x.get(Rows2d.FLOAT, from + 4L * i);
      for (int k = 0; k < 4; k++) to[at + k] += v * panel[k * n + i];
    }
  }

  private static float one(MemorySegment x, long from, float[] panel, int panelAt, int n) {
    var a = FloatVector.zero(Lanes.FLOATS);
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      a = Lanes.floats(x, from + 4L * i).fma(Lanes.floats(panel, panelAt + i), a);
    }
    float sum = a.reduceLanes(ADD);
    for (; i < n; i++) sum += x.get(Rows2d.FLOAT, from + 4L * i) * panel[panelAt + i];
    return sum;
  }
}
