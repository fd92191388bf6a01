package weft.models;

import java.util.Set;
import weft.net.Architecture;
import weft.net.Attention;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Net;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * The mixtures of Qwen3 (arXiv:2505.09388): its attention, and experts in place of the
 * feed-forward, with dense layers between them where the configuration names some.
 */
record Qwen3Moe(
    Sizes sizes, SelfAttention attention, SparseLayers feedForwards, Rope rope, Windows windows)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "Qwen3 MoE",
          Set.of("qwen3moe"),
          Set.of("qwen3_moe"),
          SparseLayers.named(Qwen2.naming()),
          Qwen3Moe::of);

  static Qwen3Moe of(Meta m) {
    var sizes = Sizes.of(m);
    boolean isWindowed = m.flag("attention.use_sliding_window", false);
    return new Qwen3Moe(
        sizes,
        new SelfAttention(sizes, Norm.RMS),
        SparseLayers.of(m, FeedForward.Sparse.TopK.AS_SCORED),
        Rope.of(m, sizes.headDim()),
        isWindowed ? Windows.everywhere(m) : Windows.NONE);
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
    return h.plus(feedForwards.at(layer).of(net, net.rmsNorm("ffn_norm", h)));
  }
}
