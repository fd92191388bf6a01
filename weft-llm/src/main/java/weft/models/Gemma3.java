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
 * The text model of Gemma 3 (arXiv:2503.19786): Gemma 2 with normalized heads of queries and keys
 * instead of capped scores, five windowed layers to a full one, and a rope for each of the two.
 */
record Gemma3(
    Sizes sizes,
    SelfAttention attention,
    FeedForward feedForward,
    Rope fullRope,
    Rope windowRope,
    Norm norm,
    Attention how,
    Windows windows,
    double finalCap)
    implements Architecture {
  /** The depth of the 27B model, whose queries GGUF leaves unscaled by the head's size. */
  private static final int LAYERS_OF_27B = 62;

  static final Family FAMILY =
      new Family(
          "Gemma 3", Set.of("gemma3"), Set.of("gemma3", "gemma3_text"), naming(), Gemma3::of);

  /** The published configurations leave much of it unsaid. */
  private static Naming naming() {
    return Gemma2.naming()
        .key("sliding_window_pattern", "attention.sliding_window_pattern")
        .key("rope_local_base_freq", "rope.freq_base_swa")
        .rope("rope_parameters.full_attention", "")
        .rope("rope_parameters.sliding_attention", "_swa")
        .assuming("attention.head_count", 8L)
        .assuming("attention.head_count_kv", 4L)
        .assuming("context_length", 131_072L)
        .assuming("rope.freq_base", 1e6);
  }

  static Gemma3 of(Meta m) {
    Gemma.requireCausal(m);
    var sizes = Sizes.of(m);
    return new Gemma3(
        sizes,
        new SelfAttention(sizes, Norm.aroundOne(m)),
        FeedForward.Gated.of(m, Activation.GELU_TANH),
        Rope.of(m, sizes.headDim()),
        Rope.ofWindow(m, sizes.headDim()),
        Norm.aroundOne(m),
        Attention.full(sizes.headDim())
            .scaled(1 / Math.sqrt(Gemma2.queryScalar(m, sizes, LAYERS_OF_27B))),
        Windows.between(m, m.integer("attention.sliding_window", Range.POSITIONS_OR_NONE, 0), 6),
        m.real("final_logit_softcapping", Range.CAP_OR_NONE, 0));
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
    var rope = windows.isFull().test(layer) ? fullRope : windowRope;
    var in = norm.of(net, "attn_norm", x);
    var attended = attention.of(net, in, rope, windows.of(layer, how));
    var h = x.plus(norm.of(net, "post_attention_norm", attended));
    var thought = feedForward.of(net, norm.of(net, "ffn_norm", h));
    return h.plus(norm.of(net, "post_ffw_norm", thought));
  }
}
