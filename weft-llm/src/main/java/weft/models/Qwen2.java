package weft.models;

import java.util.Set;
import weft.net.Activation;
import weft.net.Architecture;
import weft.net.Attention;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Qwen2 and Qwen2.5 (arXiv:2407.10671): pre-norm blocks of grouped-query attention, with biases on
 * queries, keys and values, and a SwiGLU feed-forward; late layers may see a window only.
 */
record Qwen2(
    Sizes sizes, SelfAttention attention, FeedForward feedForward, Rope rope, Windows windows)
    implements Architecture {
  static final Family FAMILY =
      new Family("Qwen2", Set.of("qwen2"), Set.of("qwen2"), naming(), Qwen2::of);

  /** What the later versions name alike. */
  static Naming naming() {
    return Naming.transformers()
        .key("use_sliding_window", "attention.use_sliding_window")
        .key("max_window_layers", "attention.max_window_layers");
  }

  /** Windows are off unless switched on, and then the first layers still see everything. */
  static Windows windows(Meta m) {
    if (!m.flag("attention.use_sliding_window", false)) return Windows.NONE;
    int tokens = m.integer("attention.sliding_window", Range.POSITIONS_OR_NONE, 0);
    int fullLayers = m.integer("attention.max_window_layers", Range.MARK, 28);
    return tokens > 0 && m.texts("layer_types").isEmpty()
        ? new Windows(tokens, layer -> layer < fullLayers)
        : Windows.between(m, tokens, 1);
  }

  static Qwen2 of(Meta m) {
    var sizes = Sizes.of(m);
    return new Qwen2(
        sizes,
        new SelfAttention(sizes, Norm.NONE),
        FeedForward.Gated.of(m, Activation.SILU),
        Rope.of(m, sizes.headDim()),
        windows(m));
  }

  @Override
  public int contextLength() {
    return sizes.contextLength();
  }

  @Override
  public Tensor logits(Net net) {
    var x = net.embed("token_embd", sizes.width());
    return Decoder.logits(net, sizes, x, this::block, Norm.RMS);
  }

  private Tensor block(Net net, int layer, Tensor x) {
    var how = windows.of(layer, Attention.full(sizes.headDim()));
    var h = x.plus(attention.of(net, net.rmsNorm("attn_norm", x), rope, how));
    return h.plus(feedForward.of(net, net.rmsNorm("ffn_norm", h)));
  }
}
