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
 * Llama 2, 3, 3.1, 3.2 (arXiv:2407.21783) and Mistral (arXiv:2310.06825), which adds a sliding
 * window: pre-norm blocks of grouped-query attention and a SwiGLU feed-forward.
 */
record Llama(
    Sizes sizes, SelfAttention attention, FeedForward feedForward, Rope rope, Windows windows)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "Llama, Mistral",
          Set.of("llama", "mistral"),
          Set.of("llama", "mistral"),
          Naming.transformers(),
          Llama::of);

  static Llama of(Meta m) {
    var sizes = Sizes.of(m);
    return new Llama(
        sizes,
        new SelfAttention(sizes, Norm.NONE),
        FeedForward.Gated.of(m, Activation.SILU),
        Rope.of(m, sizes.headDim()).paired(pairing(m)),
        Windows.everywhere(m));
  }

  /** GGUF reorders the rows of q and k so that neighbours turn together. */
  static Rope.Pairing pairing(Meta m) {
    return switch (m.convention()) {
      case GGUF -> Rope.Pairing.NEIGHBOURS;
      case TRANSFORMERS -> Rope.Pairing.HALVES;
    };
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
