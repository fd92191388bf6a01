package weft.cpu.portable;

import static jdk.incubator.vector.VectorOperators.ADD;

import jdk.incubator.vector.FloatVector;
import weft.cpu.launch.Rows2d;

/**
 * What norms need of a row: its sums, and the scale by which a root-mean-square norm multiplies.
 */
public final class Norms {
  private Norms() {}

  static float inverseRms(float[] x, int at, int n, float eps) {
    return scale(sumOfSquares(x, at, n), n, eps);
  }

  static float inverseRms(Rows2d x, int row, int n, float eps) {
    var sum = FloatVector.zero(Lanes.FLOATS);
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      var v = Lanes.floats(x.memory(), x.at(row, i));
      sum = v.fma(v, sum);
    }
    float squares = sum.reduceLanes(ADD);
    for (; i < n; i++) squares += x.get(row, i) * x.get(row, i);
    return scale(squares, n, eps);
  }

  static float sum(float[] x, int at, int n) {
    var sum = FloatVector.zero(Lanes.FLOATS);
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) sum = sum.add(Lanes.floats(x, at + i));
    float total = sum.reduceLanes(ADD);
    for (; i < n; i++) total += x[at + i];
    return total;
  }

  static float sumOfSquares(float[] x, int at, int n) {
    var sum = FloatVector.zero(Lanes.FLOATS);
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      var v = Lanes.floats(x, at + i);
      sum = v.fma(v, sum);
    }
    float squares = sum.reduceLanes(ADD);
    for (; i < n; i++) squares += x[at + i] * x[at + i];
    return squares;
  }

  private static float scale(float squares, int n, float eps) {
    return (float) (1 / Math.sqrt(squares / (double) n + eps));
  }
}
