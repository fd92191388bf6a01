package weft.models;

import java.util.Set;
import weft.net.Activation;
import weft.net.Architecture;
import weft.net.Attention;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Gemma (arXiv:2403.08295): pre-norm blocks with a GeGLU feed-forward, embeddings scaled by the
 * root of their width, norms around one, and a tied head.
 */
record Gemma(Sizes sizes, SelfAttention attention, FeedForward feedForward, Rope rope, Norm norm)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "Gemma",
          Set.of("gemma"),
          Set.of("gemma"),
          naming().assuming("attention.key_length", 256L),
          Gemma::of);

  /** What the later versions name alike. */
  static Naming naming() {
    return Naming.transformers().key("use_bidirectional_attention", "attention.bidirectional");
  }

  static Gemma of(Meta m) {
    requireCausal(m);
    var sizes = Sizes.of(m);
    return new Gemma(
        sizes,
        new SelfAttention(sizes, Norm.NONE),
        FeedForward.Gated.of(m, Activation.GELU_TANH),
        Rope.of(m, sizes.headDim()),
        Norm.aroundOne(m));
  }

  static void requireCausal(Meta m) {
    if (m.flag("attention.bidirectional", false)) {
      throw m.wrong("attention.bidirectional", true, "false: weft generates left to right");
    }
  }

  /** The tokens' rows, scaled by the root of their width. */
  static Tensor embedded(Net net, Sizes sizes) {
    return net.embed("token_embd", sizes.width()).times(Math.sqrt(sizes.width()));
  }

  @Override
  public int contextLength() {
    return sizes.contextLength();
  }

  @Override
  public Tensor logits(Net net) {
    return Decoder.logits(net, sizes, embedded(net, sizes), this::block, norm);
  }

  private Tensor block(Net net, int layer, Tensor x) {
    var how = Attention.full(sizes.headDim());
    var h = x.plus(attention.of(net, norm.of(net, "attn_norm", x), rope, how));
    return h.plus(feedForward.of(net, norm.of(net, "ffn_norm", h)));
  }
}
