package weft.cpu;

import static jdk.incubator.vector.VectorOperators.ADD;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/**
 * Products of rows of floats with unpacked weight rows, three by four at a time: twelve chains hide
 * the latency, and the sixteen registers of AVX2 hold them.
 *
 * <p>The loops over rows are here, around the vectors, so that the methods are too large to be
 * inlined: among the code of a caller C2 gave up on vectors in registers, and a prompt of 128
 * tokens went from 30 tokens a second to 4.
 */
final class Tiles {
  private static final int TOKENS = 3;
  private static final int ROWS = 4;

  private Tiles() {}

  /**
   * Multiplies the {@code n} floats of each token, the first at byte {@code from} and {@code step}
   * bytes from one to the next, with {@code height} rows of {@code n} in the panel; the product of
   * token t and row r goes to {@code to[at + t * height + r]}.
   */
  static void products(
      MemorySegment x,
      long from,
      long step,
      int tokens,
      float[] panel,
      int height,
      int n,
      float[] to,
      int at) {
    int wholeTokens = tokens - tokens % TOKENS;
    int wholeRows = height - height % ROWS;
    tiles(x, from, step, wholeTokens, panel, height, n, to, at);
    rows(x, from, step, 0, wholeTokens, panel, wholeRows, height, n, to, at);
    rows(x, from, step, wholeTokens, tokens, panel, 0, height, n, to, at);
  }

  private static void tiles(
      MemorySegment x,
      long from,
      long step,
      int tokens,
      float[] panel,
      int height,
      int n,
      float[] to,
      int at) {
    for (int t = 0; t + TOKENS <= tokens; t += TOKENS) {
      for (int r = 0; r + ROWS <= height; r += ROWS) {
        long x0 = from + t * step;
        long x1 = x0 + step;
        long x2 = x1 + step;
        int w0 = r * n;
        int w1 = w0 + n;
        int w2 = w1 + n;
        int w3 = w2 + n;
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
        int o = at + t * height + r;
        to[o] = s00.reduceLanes(ADD);
        to[o + 1] = s01.reduceLanes(ADD);
        to[o + 2] = s02.reduceLanes(ADD);
        to[o + 3] = s03.reduceLanes(ADD);
        to[o + height] = s10.reduceLanes(ADD);
        to[o + height + 1] = s11.reduceLanes(ADD);
        to[o + height + 2] = s12.reduceLanes(ADD);
        to[o + height + 3] = s13.reduceLanes(ADD);
        to[o + 2 * height] = s20.reduceLanes(ADD);
        to[o + 2 * height + 1] = s21.reduceLanes(ADD);
        to[o + 2 * height + 2] = s22.reduceLanes(ADD);
        to[o + 2 * height + 3] = s23.reduceLanes(ADD);
        if (i < n) rest(x, x0, step, panel, w0, i, n, to, o, height);
      }
    }
  }

  /** Adds the products of the values behind the last whole vector. */
  private static void rest(
      MemorySegment x,
      long from,
      long step,
      float[] panel,
      int panelAt,
      int first,
      int n,
      float[] to,
      int at,
      int height) {
    for (int t = 0; t < TOKENS; t++) {
      for (int r = 0; r < ROWS; r++) {
        for (int i = first; i < n; i++) {
          to[at + t * height + r] +=
              x.get(Rows2d.FLOAT, from + t * step + 4L * i) * panel[panelAt + r * n + i];
        }
      }
    }
  }

  /** The tokens and rows that fill no tile, a token at a time. */
  private static void rows(
      MemorySegment x,
      long from,
      long step,
      int firstToken,
      int tokens,
      float[] panel,
      int firstRow,
      int height,
      int n,
      float[] to,
      int at) {
    for (int t = firstToken; t < tokens; t++) {
      long xAt = from + t * step;
      int r = firstRow;
      for (; r + ROWS <= height; r += ROWS) {
        var a = FloatVector.zero(Lanes.FLOATS);
        var b = FloatVector.zero(Lanes.FLOATS);
        var c = FloatVector.zero(Lanes.FLOATS);
        var d = FloatVector.zero(Lanes.FLOATS);
        int w = r * n;
        int i = 0;
        for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
          var v = Lanes.floats(x, xAt + 4L * i);
          a = v.fma(Lanes.floats(panel, w + i), a);
          b = v.fma(Lanes.floats(panel, w + n + i), b);
          c = v.fma(Lanes.floats(panel, w + 2 * n + i), c);
          d = v.fma(Lanes.floats(panel, w + 3 * n + i), d);
        }
        int o = at + t * height + r;
        to[o] = a.reduceLanes(ADD);
        to[o + 1] = b.reduceLanes(ADD);
        to[o + 2] = c.reduceLanes(ADD);
        to[o + 3] = d.reduceLanes(ADD);
        for (; i < n; i++) {
          float v = x.get(Rows2d.FLOAT, xAt + 4L * i);
          for (int k = 0; k < ROWS; k++) to[o + k] += v * panel[w + k * n + i];
        }
      }
      for (; r < height; r++) {
        var a = FloatVector.zero(Lanes.FLOATS);
        int i = 0;
        for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
          a = Lanes.floats(x, xAt + 4L * i).fma(Lanes.floats(panel, r * n + i), a);
        }
        float sum = a.reduceLanes(ADD);
        for (; i < n; i++) sum += x.get(Rows2d.FLOAT, xAt + 4L * i) * panel[r * n + i];
        to[at + t * height + r] = sum;
      }
    }
  }
}
