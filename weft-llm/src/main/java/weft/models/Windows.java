package weft.models;

import java.util.function.IntPredicate;
import weft.net.Attention;
import weft.net.Meta;
import weft.net.Range;

/** How far back each layer sees: everything, or a window of tokens, which keeps its cache small. */
record Windows(int tokens, IntPredicate isFull) {
  /** Every layer sees everything. */
  static final Windows NONE = new Windows(0, layer -> true);

  /** Windows between full layers: listed, or all but every so many, or else {@code period}. */
  static Windows between(Meta m, int tokens, int period) {
    var key = "attention.sliding_window_pattern";
    return tokens > 0
        ? new Windows(tokens, LayerKinds.full(m, "sliding_attention", key, period))
        : NONE;
  }

  /** Windows everywhere, where the checkpoint gives one. */
  static Windows everywhere(Meta m) {
    int tokens = m.integer("attention.sliding_window", Range.POSITIONS_OR_NONE, 0);
    return tokens > 0 ? new Windows(tokens, layer -> false) : NONE;
  }

  Attention of(int layer, Attention how) {
    return isFull.test(layer) ? how : how.within(tokens);
  }
}
