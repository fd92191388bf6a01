package weft.models;

import weft.net.Activation;
import weft.net.Attention;
import weft.net.Meta;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * A block of a vision transformer (arXiv:2010.11929): pre-norm, all patches see each other, and the
 * feed-forward is not gated. Queries and keys may turn by their places.
 */
record VisionBlock(int heads, int hidden, double eps, Activation activation, Rope rope) {
  static VisionBlock of(Meta m, Rope rope) {
    return new VisionBlock(
        m.integer("vision.attention.head_count", Range.COUNT),
        m.integer("vision.feed_forward_length", Range.WIDTH),
        m.real("vision.attention.layer_norm_epsilon", Range.EPSILON, 1e-6),
        Activation.of(m, "vision.activation", Activation.GELU_TANH),
        rope);
  }

  Tensor norm(Net net, String name, Tensor x) {
    return net.layerNorm(name, x, eps);
  }

  Tensor of(Net net, Tensor x) {
    var h = x.plus(attended(net, norm(net, "ln1", x)));
    return h.plus(fed(net, norm(net, "ln2", h)));
  }

  private Tensor attended(Net net, Tensor x) {
    int width = x.width();
    int d = width / heads;
    var q = projected(net, "attn_q", 0, x).heads(heads).rope(rope);
    var k = projected(net, "attn_k", 1, x).heads(heads).rope(rope);
    var v = projected(net, "attn_v", 2, x).heads(heads);
    return net.linear("attn_out", net.mingle(q, k, v, Attention.full(d)).merge(), width);
  }

  /** Queries, keys and values may be one weight. */
  private static Tensor projected(Net net, String name, int third, Tensor x) {
    int width = x.width();
    return net.has("attn_qkv.weight")
        ? net.linear("attn_qkv", x, 3 * width).slice(third * width, (third + 1) * width)
        : net.linear(name, x, width);
  }

  private Tensor fed(Net net, Tensor x) {
    // Old files of GGUF have the two the wrong way round.
    boolean isSwapped = net.outputs("ffn_up") == x.width() && hidden != x.width();
    var up = net.linear(isSwapped ? "ffn_down" : "ffn_up", x, hidden);
    return net.linear(isSwapped ? "ffn_up" : "ffn_down", up.activated(activation), x.width());
  }
}
