package weft.models;

import java.util.Set;
import weft.net.Activation;
import weft.net.Architecture;
import weft.net.Attention;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Net;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Qwen3 (arXiv:2505.09388): Qwen2 without biases, but with each head of queries and keys
 * normalized; and the text model of Qwen3-VL (arXiv:2511.21631), whose rope turns by a row's place
 * in time, down and across.
 */
record Qwen3(
    Sizes sizes, SelfAttention attention, FeedForward feedForward, Rope rope, Windows windows)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "Qwen3, Qwen3-VL",
          Set.of("qwen3", "qwen3vl"),
          Set.of("qwen3", "qwen3_vl", "qwen3_vl_text"),
          Qwen2.naming().assuming("attention.key_length", 128L),
          Qwen3::of);

  static Qwen3 of(Meta m) {
    var sizes = Sizes.of(m);
    return new Qwen3(
        sizes,
        new SelfAttention(sizes, Norm.RMS),
        FeedForward.Gated.of(m, Activation.SILU),
        Rope.of(m, sizes.headDim()).interleaved(m, 24, 20, 20),
        Qwen2.windows(m));
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
