package weft.cpu.portable;

import static jdk.incubator.vector.VectorOperators.ADD;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import weft.cpu.launch.Rows2d;

/**
 * Products of rows of floats with unpacked weight rows, three by four at a time: twelve chains hide
 * the latency, and the sixteen registers of AVX2 hold them. Where there are less, the last token
 * and the last row stand in for those behind them.
 *
 * <p>The loops over rows are here, around the vectors, so that the method is too large to be
 * inlined: among the code of a caller C2 gave up on vectors in registers, and a prompt of 128
 * tokens went from 30 tokens a second to 4.
 */
public final class Tiles {
  private static final int TOKENS = 3;
  private static final int ROWS = 4;

  private Tiles() {}

  /**
   * Multiplies the {@code n} floats of each token, which begin at these bytes, with {@code height}
   * rows of {@code n} in the panel; the product of token t and row r goes to {@code to[at + t *
   * height + r]}.
   */
  static void products(
      MemorySegment x, long[] tokens, float[] panel, int height, int n, float[] to, int at) {
    for (int t0 = 0; t0 < tokens.length; t0 += TOKENS) {
      int t1 = Math.min(t0 + 1, tokens.length - 1);
      int t2 = Math.min(t0 + 2, tokens.length - 1);
      long x0 = tokens[t0];
      long x1 = tokens[t1];
      long x2 = tokens[t2];
      for (int r0 = 0; r0 < height; r0 += ROWS) {
        int r1 = Math.min(r0 + 1, height - 1);
        int r2 = Math.min(r0 + 2, height - 1);
        int r3 = Math.min(r0 + 3, height - 1);
        int w0 = r0 * n;
        int w1 = r1 * n;
        int w2 = r2 * n;
        int w3 = r3 * n;
        var s00 = FloatVector.zero(Lanes.FLOATS);
        var s01 = FloatVector.zero(Lanes.FLOATS);
        var s02 = FloatVector.zero(Lanes.FLOATS);
        var s03 = FloatVector.zero(Lanes.FLOATS);
        var s10 = FloatVector.zero(Lanes.FLOATS);
        var s11 = FloatVector.zero(Lanes.FLOATS);
        var s12 = FloatVector.zero(Lanes.FLOATS);
        var s13 = FloatVector.zero(Lanes.FLOATS);
        var s20 = FloatVector.zero(Lanes.FLOATS);
        var s21 = FloatVector.zero(Lanes.FLOATS);
        var s22 = FloatVector.zero(Lanes.FLOATS);
        var s23 = FloatVector.zero(Lanes.FLOATS);
        int i = 0;
        for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
          var v0 = Lanes.floats(x, x0 + 4L * i);
          var v1 = Lanes.floats(x, x1 + 4L * i);
          var v2 = Lanes.floats(x, x2 + 4L * i);
          var w = Lanes.floats(panel, w0 + i);
          s00 = v0.fma(w, s00);
          s10 = v1.fma(w, s10);
          s20 = v2.fma(w, s20);
          w = Lanes.floats(panel, w1 + i);
          s01 = v0.fma(w, s01);
          s11 = v1.fma(w, s11);
          s21 = v2.fma(w, s21);
          w = Lanes.floats(panel, w2 + i);
          s02 = v0.fma(w, s02);
          s12 = v1.fma(w, s12);
          s22 = v2.fma(w, s22);
          w = Lanes.floats(panel, w3 + i);
          s03 = v0.fma(w, s03);
          s13 = v1.fma(w, s13);
          s23 = v2.fma(w, s23);
        }
        int to0 = at + t0 * height;
        int to1 = at + t1 * height;
        int to2 = at + t2 * height;
        to[to0 + r0] = s00.reduceLanes(ADD);
        to[to0 + r1] = s01.reduceLanes(ADD);
        to[to0 + r2] = s02.reduceLanes(ADD);
        to[to0 + r3] = s03.reduceLanes(ADD);
        to[to1 + r0] = s10.reduceLanes(ADD);
        to[to1 + r1] = s11.reduceLanes(ADD);
        to[to1 + r2] = s12.reduceLanes(ADD);
        to[to1 + r3] = s13.reduceLanes(ADD);
        to[to2 + r0] = s20.reduceLanes(ADD);
        to[to2 + r1] = s21.reduceLanes(ADD);
        to[to2 + r2] = s22.reduceLanes(ADD);
        to[to2 + r3] = s23.reduceLanes(ADD);
      }
    }
    rest(x, tokens, panel, height, n, to, at);
  }

  /** Adds the products of the values behind the last whole vector. */
  private static void rest(
      MemorySegment x, long[] tokens, float[] panel, int height, int n, float[] to, int at) {
    for (int i = n - n % Lanes.COUNT; i < n; i++) {
      for (int t = 0; t < tokens.length; t++) {
        float v = x.get(Rows2d.FLOAT, tokens[t] + 4L * i);
        for (int r = 0; r < height; r++) to[at + t * height + r] += v * panel[r * n + i];
      }
    }
  }
}
