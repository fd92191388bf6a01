package weft.cpu.portable;

import static jdk.incubator.vector.VectorOperators.ADD;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The gated delta rule over several tokens at once (arXiv:2412.06464, section 3.3). What each token
 * changes depends on what the earlier ones changed, so the changes solve a triangular system; with
 * them, reads and the new state are products of matrices. {@link DeltaStep} is its twin a token at
 * a time.
 *
 * <p>With {@code g} the product of decays from the chunk's beginning: {@code u_t = beta_t (v_t -
 * g_t k_t S - sum_{i<t} g_t/g_i (k_t k_i) u_i)}, {@code out_t = g_t q_t S + sum_{i<=t} g_t/g_i (q_t
 * k_i) u_i}, {@code S' = g S + sum_i g/g_i k_i u_i^T}. The ratios are running products, since the
 * decays of a chunk may multiply to zero.
 */
public final class DeltaChunk {
  /**
   * Tokens taken together: the longer, the more pairs of tokens meet (see the commit's numbers).
   */
  static final int TOKENS = 32;

  private final int keyDim;
  private final int valueDim;

  DeltaChunk(int keyDim, int valueDim) {
    this.keyDim = keyDim;
    this.valueDim = valueDim;
  }

  /** The floats that a chunk needs besides the state. */
  int scratch() {
    return wantedAt(TOKENS);
  }

  /** Where a token's key lies in the scratch; queries lie behind all keys of the chunk. */
  int keyAt(int token) {
    return token * keyDim;
  }

  int queryAt(int token, int tokens) {
    return (tokens + token) * keyDim;
  }

  /** Where a token's value comes in; its change takes its place. */
  int valueAt(int token) {
    return 2 * TOKENS * keyDim + token * valueDim;
  }

  /** Where a token's output comes out, behind what all keys read of the state. */
  int outputAt(int token, int tokens) {
    return 2 * TOKENS * keyDim + (TOKENS + tokens + token) * valueDim;
  }

  int decayAt(int token) {
    return readAt(2 * TOKENS) + token;
  }

  int betaAt(int token) {
    return decayAt(TOKENS) + token;
  }

  /** What a token's key reads of the state at the chunk's beginning. */
  private int readAt(int token) {
    return outputAt(token, 0);
  }

  /** How much of an earlier token's change is left. */
  private int ratioAt(int token) {
    return betaAt(TOKENS) + token;
  }

  private int knownAt(int token) {
    return ratioAt(TOKENS) + token;
  }

  private int wantedAt(int token) {
    return knownAt(TOKENS) + token;
  }

  void run(float[] state, float[] x, int tokens) {
    Arrays.fill(x, readAt(0), readAt(2 * tokens), 0);
    var keysAndQueries = new SmallProduct.Left(x, 0, keyDim, 1);
    SmallProduct.add(keysAndQueries, 2 * tokens, keyDim, state, 0, x, readAt(0), valueDim);
    float total = 1;
    for (int t = 0; t < tokens; t++) {
      float decay = x[decayAt(t)];
      total *= decay;
      scale(x, ratioAt(0), t, decay);
      token(x, t, tokens, total);
    }
    scale(state, 0, keyDim * valueDim, total);
    for (int i = 0; i < tokens; i++) scale(x, keyAt(i), keyDim, x[ratioAt(i)]);
    var keysByToken = new SmallProduct.Left(x, 0, 1, keyDim);
    SmallProduct.add(keysByToken, keyDim, tokens, x, valueAt(0), state, 0, valueDim);
  }

  /** One token's change and output from those before it in the chunk. */
  private void token(float[] x, int t, int tokens, float total) {
    int known = knownAt(0);
    int wanted = wantedAt(0);
    x[ratioAt(t)] = 1;
    for (int i = 0; i <= t; i++) dots(x, t, tokens, i);
    float own = x[wanted + t];
    float beta = x[betaAt(t)];
    int value = valueAt(t);
    int out = outputAt(t, tokens);
    int d = 0;
    for (; d + Lanes.COUNT <= valueDim; d += Lanes.COUNT) {
      var v = Lanes.floats(x, value + d).sub(Lanes.floats(x, readAt(t) + d).mul(total));
      var o = Lanes.floats(x, out + d).mul(total);
      for (int i = 0; i < t; i++) {
        var u = Lanes.floats(x, valueAt(i) + d);
        v = u.fma(FloatVector.broadcast(Lanes.FLOATS, -x[known + i]), v);
        o = u.fma(FloatVector.broadcast(Lanes.FLOATS, x[wanted + i]), o);
      }
      v = v.mul(beta);
      v.intoArray(x, value + d);
      v.fma(FloatVector.broadcast(Lanes.FLOATS, own), o).intoArray(x, out + d);
    }
    for (; d < valueDim; d++) {
      float v = x[value + d] - total * x[readAt(t) + d];
      float o = total * x[out + d];
      for (int i = 0; i < t; i++) {
        v -= x[known + i] * x[valueAt(i) + d];
        o += x[wanted + i] * x[valueAt(i) + d];
      }
      x[value + d] = v * beta;
      x[out + d] = o + own * x[value + d];
    }
  }

  /** Products of a token's key and query with an earlier key, decayed. */
  private void dots(float[] x, int t, int tokens, int i) {
    int key = keyAt(t);
    int query = queryAt(t, tokens);
    int other = keyAt(i);
    var k = FloatVector.zero(Lanes.FLOATS);
    var q = FloatVector.zero(Lanes.FLOATS);
    int j = 0;
    for (; j + Lanes.COUNT <= keyDim; j += Lanes.COUNT) {
      var o = Lanes.floats(x, other + j);
      k = o.fma(Lanes.floats(x, key + j), k);
      q = o.fma(Lanes.floats(x, query + j), q);
    }
    float kSum = k.reduceLanes(ADD);
    float qSum = q.reduceLanes(ADD);
    for (; j < keyDim; j++) {
      kSum += x[other + j] * x[key + j];
      qSum += x[other + j] * x[query + j];
    }
    x[knownAt(i)] = kSum * x[ratioAt(i)];
    x[wantedAt(i)] = qSum * x[ratioAt(i)];
  }

  private static void scale(float[] x, int at, int n, float by) {
    for (int i = at; i < at + n; i++) x[i] *= by;
  }
}
