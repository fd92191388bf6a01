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
 * Gemma 2 (arXiv:2408.00118): Gemma with a norm on both sides of each half of a block, every other
 * layer within a sliding window, and soft caps on attention scores and logits.
 */
record Gemma2(
    Sizes sizes,
    SelfAttention attention,
    FeedForward feedForward,
    Rope rope,
    Norm norm,
    Attention how,
    Windows windows,
    double finalCap)
    implements Architecture {
  /** The depth of the 27B model, whose queries GGUF leaves unscaled by the head's size. */
  private static final int LAYERS_OF_27B = 46;

  static final Family FAMILY =
      new Family("Gemma 2", Set.of("gemma2"), Set.of("gemma2"), naming(), Gemma2::of);

  /** What Gemma 3 names alike. */
  static Naming naming() {
    return Gemma.naming()
        .key("hidden_activation", "activation")
        .key("query_pre_attn_scalar", "attention.query_scalar")
        .key("attn_logit_softcapping", "attn_logit_softcapping")
        .key("final_logit_softcapping", "final_logit_softcapping")
        .assuming("attention.key_length", 256L)
        .assuming("attention.query_scalar", 256L)
        .assuming("attention.sliding_window", 4096L)
        .assuming("attn_logit_softcapping", 0.0)
        .assuming("final_logit_softcapping", 0.0)
        .layer("post_attention_layernorm", "post_attention_norm")
        .layer("pre_feedforward_layernorm", "ffn_norm")
        .layer("post_feedforward_layernorm", "post_ffw_norm");
  }

  static Gemma2 of(Meta m) {
    Gemma.requireCausal(m);
    var sizes = Sizes.of(m);
    return new Gemma2(
        sizes,
        new SelfAttention(sizes, Norm.NONE),
        FeedForward.Gated.of(m, Activation.GELU_TANH),
        Rope.of(m, sizes.headDim()),
        Norm.aroundOne(m),
        Attention.full(sizes.headDim())
            .scaled(1 / Math.sqrt(queryScalar(m, sizes, LAYERS_OF_27B)))
            .capped(m.real("attn_logit_softcapping", Range.CAP_OR_NONE, 50)),
        Windows.between(m, m.integer("attention.sliding_window", Range.POSITIONS_OR_NONE, 4096), 2),
        m.real("final_logit_softcapping", Range.CAP_OR_NONE, 30));
  }

  /** What queries are divided by the root of; GGUF cannot say it, but for one model's depth. */
  static double queryScalar(Meta m, Sizes sizes, int layersOfLargest) {
    boolean isLargest = sizes.layers() == layersOfLargest;
    int usual = isLargest ? Math.max(1, sizes.width() / sizes.heads()) : sizes.headDim();
    return m.real("attention.query_scalar", Range.POSITIVE, usual);
  }

  @Override
  public int contextLength() {
    return sizes.contextLength();
  }

  @Override
  public Tensor logits(Net net) {
    var logits = Decoder.logits(net, sizes, Gemma.embedded(net, sizes), this::block, norm);
    return finalCap > 0 ? logits.softCap(finalCap) : logits;
  }

  private Tensor block(Net net, int layer, Tensor x) {
    var in = norm.of(net, "attn_norm", x);
    var attended = attention.of(net, in, rope, windows.of(layer, how));
    var h = x.plus(norm.of(net, "post_attention_norm", attended));
    var thought = feedForward.of(net, norm.of(net, "ffn_norm", h));
    return h.plus(norm.of(net, "post_ffw_norm", thought));
  }
}
