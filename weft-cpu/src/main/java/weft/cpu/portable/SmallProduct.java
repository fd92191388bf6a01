package weft.cpu.portable;

import jdk.incubator.vector.FloatVector;

/**
 * {@code c += a . b} for matrices that fit the nearest cache. The left one may be read either way
 * up: element {@code (i, p)} lies at {@code at + i * row + p * column}.
 */
public final class SmallProduct {
  /** The left factor and how it is read. */
  record Left(float[] values, int at, int row, int column) {}

  private SmallProduct() {}

  static void add(Left a, int rows, int depth, float[] b, int bAt, float[] c, int cAt, int width) {
    int i = 0;
    for (; i + 4 <= rows; i += 4) four(a, i, depth, b, bAt, c, cAt + i * width, width);
    for (; i < rows; i++) one(a, i, depth, b, bAt, c, cAt + i * width, width);
  }

  /** Four rows and two vectors at once: eight chains, and each load meets several products. */
  private static void four(
      Left a, int row, int depth, float[] b, int bAt, float[] c, int cAt, int width) {
    int a0 = a.at + row * a.row;
    int a1 = a0 + a.row;
    int a2 = a1 + a.row;
    int a3 = a2 + a.row;
    int c1 = cAt + width;
    int c2 = c1 + width;
    int c3 = c2 + width;
    int n = Lanes.COUNT;
    int d = 0;
    for (; d + 2 * n <= width; d += 2 * n) {
      var s00 = Lanes.floats(c, cAt + d);
      var s01 = Lanes.floats(c, cAt + d + n);
      var s10 = Lanes.floats(c, c1 + d);
      var s11 = Lanes.floats(c, c1 + d + n);
      var s20 = Lanes.floats(c, c2 + d);
      var s21 = Lanes.floats(c, c2 + d + n);
      var s30 = Lanes.floats(c, c3 + d);
      var s31 = Lanes.floats(c, c3 + d + n);
      for (int p = 0, pa = 0, pb = bAt + d; p < depth; p++, pa += a.column, pb += width) {
        var b0 = Lanes.floats(b, pb);
        var b1 = Lanes.floats(b, pb + n);
        var x0 = FloatVector.broadcast(Lanes.FLOATS, a.values[a0 + pa]);
        s00 = b0.fma(x0, s00);
        s01 = b1.fma(x0, s01);
        var x1 = FloatVector.broadcast(Lanes.FLOATS, a.values[a1 + pa]);
        s10 = b0.fma(x1, s10);
        s11 = b1.fma(x1, s11);
        var x2 = FloatVector.broadcast(Lanes.FLOATS, a.values[a2 + pa]);
        s20 = b0.fma(x2, s20);
        s21 = b1.fma(x2, s21);
        var x3 = FloatVector.broadcast(Lanes.FLOATS, a.values[a3 + pa]);
        s30 = b0.fma(x3, s30);
        s31 = b1.fma(x3, s31);
      }
      s00.intoArray(c, cAt + d);
      s01.intoArray(c, cAt + d + n);
      s10.intoArray(c, c1 + d);
      s11.intoArray(c, c1 + d + n);
      s20.intoArray(c, c2 + d);
      s21.intoArray(c, c2 + d + n);
      s30.intoArray(c, c3 + d);
      s31.intoArray(c, c3 + d + n);
    }
    for (int k = 0; k < 4; k++) {
      rest(a, row + k, depth, b, bAt, c, cAt + k * width, width, d);
    }
  }

  private static void one(
      Left a, int row, int depth, float[] b, int bAt, float[] c, int cAt, int width) {
    rest(a, row, depth, b, bAt, c, cAt, width, 0);
  }

  /** One row from column {@code d} on. */
  private static void rest(
      Left a, int row, int depth, float[] b, int bAt, float[] c, int cAt, int width, int d) {
    int from = a.at + row * a.row;
    for (; d + Lanes.COUNT <= width; d += Lanes.COUNT) {
      var sum = Lanes.floats(c, cAt + d);
      for (int p = 0, pa = from, pb = bAt + d; p < depth; p++, pa += a.column, pb += width) {
        sum = Lanes.floats(b, pb).fma(FloatVector.broadcast(Lanes.FLOATS, a.values[pa]), sum);
      }
      sum.intoArray(c, cAt + d);
    }
    for (; d < width; d++) {
      float sum = c[cAt + d];
      for (int p = 0; p < depth; p++) sum += a.values[from + p * a.column] * b[bAt + p * width + d];
      c[cAt + d] = sum;
    }
  }
}
