package weft.cpu.portable;

import static jdk.incubator.vector.VectorOperators.EXP;
import static jdk.incubator.vector.VectorOperators.TANH;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import weft.cpu.launch.Rows2d;
import weft.ir.Fn;

/** Elementwise functions on vectors; {@link Fn#apply} is the scalar twin of each. */
public final class VectorMath {
  private static final float SQRT_2_OVER_PI = (float) Math.sqrt(2 / Math.PI);

  private VectorMath() {}

  /** {@code x[i] = fn(x[i])} for {@code n} elements from {@code at}. */
  static void map(Fn fn, float[] x, int at, int n) {
    int i = 0;
    if (isVectorized(fn)) {
      for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
        apply(fn, Lanes.floats(x, at + i)).intoArray(x, at + i);
      }
    }
    for (; i < n; i++) x[at + i] = fn.apply(x[at + i]);
  }

  private static boolean isVectorized(Fn fn) {
    return switch (fn) {
      case SILU, GELU_TANH, SIGMOID, EXP, NEG, TANH, RELU -> true;
      case GELU_ERF, SOFTPLUS -> false;
    };
  }

  private static FloatVector apply(Fn fn, FloatVector x) {
    return switch (fn) {
      case SILU -> x.div(x.neg().lanewise(EXP).add(1));
      case SIGMOID -> FloatVector.broadcast(Lanes.FLOATS, 1).div(x.neg().lanewise(EXP).add(1));
      case GELU_TANH -> {
        var cubed = x.mul(x).mul(x).mul(0.044715f);
        yield x.mul(0.5f).mul(x.add(cubed).mul(SQRT_2_OVER_PI).lanewise(TANH).add(1));
      }
      case EXP -> x.lanewise(EXP);
      case TANH -> x.lanewise(TANH);
      case NEG -> x.neg();
      case RELU -> x.max(0);
      case GELU_ERF, SOFTPLUS -> throw new AssertionError(fn + " has no vector form");
    };
  }

  /** {@code x[sum + i] += weight * x[value + i]}. */
  static void addScaled(float[] x, int value, int sum, int n, float weight) {
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      var w = FloatVector.broadcast(Lanes.FLOATS, weight);
      Lanes.floats(x, value + i).fma(w, Lanes.floats(x, sum + i)).intoArray(x, sum + i);
    }
    for (; i < n; i++) x[sum + i] += weight * x[value + i];
  }

  /** {@code sums[i] += in[i] * w[wAt + i]}. */
  static void addProducts(MemorySegment in, long at, float[] w, int wAt, float[] sums, int n) {
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      var x = Lanes.floats(in, at + 4L * i);
      x.fma(Lanes.floats(w, wAt + i), Lanes.floats(sums, i)).intoArray(sums, i);
    }
    for (; i < n; i++) sums[i] += in.get(Rows2d.FLOAT, at + 4L * i) * w[wAt + i];
  }

  /** {@code x[i] = exp(x[i] - by)}; returns the sum. */
  static float expLess(float[] x, int n, float by) {
    var sum = FloatVector.zero(Lanes.FLOATS);
    int i = 0;
    for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
      var e = Lanes.floats(x, i).sub(by).lanewise(EXP);
      e.intoArray(x, i);
      sum = sum.add(e);
    }
    float total = sum.reduceLanes(jdk.incubator.vector.VectorOperators.ADD);
    for (; i < n; i++) total += x[i] = (float) Math.exp(x[i] - by);
    return total;
  }
}
