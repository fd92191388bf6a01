package weft.models;

import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import weft.net.Activation;
import weft.net.Architecture;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * The text model of Qwen3.5 and 3.6, dense or a mixture: the layers of Qwen3-Next with its
 * projections apart. Its rope turns by a row's place in time, down and across; that of text is one
 * for all three.
 */
record Qwen35(
    Sizes sizes,
    GatedAttention attention,
    DeltaNet delta,
    FeedForward feedForward,
    Norm norm,
    IntPredicate isFull)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "Qwen3.5, Qwen3.5 MoE",
          Set.of("qwen35", "qwen35moe"),
          Set.of("qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"),
          naming(),
          Qwen35::of,
          Qwen35::head);

  private static Naming naming() {
    var naming = DeltaNet.named(FeedForward.Sparse.named(Naming.transformers()));
    return MtpHead.named(
        naming
            .assuming("attention.key_length", 256L)
            .layer("post_attention_layernorm", "post_attention_norm")
            .layer("linear_attn.in_proj_qkv", "attn_qkv")
            .layer("linear_attn.in_proj_z", "attn_gate")
            .layer("linear_attn.in_proj_b", "ssm_beta")
            .layer("linear_attn.in_proj_a", "ssm_alpha"));
  }

  static Qwen35 of(Meta m) {
    var sizes = Sizes.of(m);
    var norm = Norm.aroundOne(m);
    // GGUF deals the value heads out to the key heads in turn.
    var sharing =
        switch (m.convention()) {
          case GGUF -> Net.KeySharing.IN_TURN;
          case TRANSFORMERS -> Net.KeySharing.NEIGHBOURS;
        };
    return new Qwen35(
        sizes,
        new GatedAttention(
            sizes, norm, Rope.partial(m, sizes.headDim(), 0.25).interleaved(m, 11, 11, 10)),
        DeltaNet.of(m, sharing),
        m.integer("expert_count", Range.COUNT_OR_NONE, 0) > 0
            ? FeedForward.Sparse.of(m, FeedForward.Sparse.TopK.RENORMALIZED)
            : FeedForward.Gated.of(m, Activation.SILU),
        norm,
        Qwen3Next.fullLayers(m));
  }

  private static Optional<Architecture> head(Meta m, int vocabulary) {
    var trunk = of(m);
    return MtpHead.of(m, trunk.sizes, trunk.norm, trunk::attending, vocabulary);
  }

  @Override
  public int contextLength() {
    return sizes.contextLength();
  }

  @Override
  public Tensor logits(Net net) {
    var x = net.embed("token_embd", sizes.width());
    return Decoder.logits(net, sizes, x, this::block, norm);
  }

  private Tensor block(Net net, int layer, Tensor x) {
    if (isFull.test(layer)) return attending(net, x);
    var in = norm.of(net, "attn_norm", x);
    return fed(net, x.plus(delta.of(net, projected(net, in), sizes.width())));
  }

  private Tensor attending(Net net, Tensor x) {
    return fed(net, x.plus(attention.of(net, norm.of(net, "attn_norm", x))));
  }

  private Tensor fed(Net net, Tensor h) {
    return h.plus(feedForward.of(net, norm.of(net, "post_attention_norm", h)));
  }

  private DeltaNet.Inputs projected(Net net, Tensor x) {
    return new DeltaNet.Inputs(
        net.linear("attn_qkv", x, 2 * delta.keys() + delta.values()),
        net.linear("attn_gate", x, delta.values()),
        net.linear("ssm_beta", x, delta.valueHeads()),
        net.linear("ssm_alpha", x, delta.valueHeads()));
  }
}
