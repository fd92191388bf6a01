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
 * OLMo 2 (arXiv:2501.00656): nothing is normalized on its way into attention or feed-forward, but
 * what comes out is; so are all queries and all keys of a token together.
 */
record Olmo2(Sizes sizes, FeedForward feedForward, Rope rope) implements Architecture {
  static final Family FAMILY =
      new Family("OLMo 2", Set.of("olmo2"), Set.of("olmo2"), naming(), Olmo2::of);

  private static Naming naming() {
    return Naming.transformers()
        .layer("post_attention_layernorm", "post_attention_norm")
        .layer("post_feedforward_layernorm", "post_ffw_norm");
  }

  static Olmo2 of(Meta m) {
    // GGUF announces the next version, which has windows, by the same name.
    if (m.value("attention.sliding_window").isPresent()) {
      int window = m.integer("attention.sliding_window", Range.POSITIONS_OR_NONE);
      throw m.wrong("attention.sliding_window", window, "none in an OLMo 2; weft knows no other");
    }
    var sizes = Sizes.of(m);
    return new Olmo2(sizes, FeedForward.Gated.of(m, Activation.SILU), Rope.of(m, sizes.headDim()));
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
    var h = x.plus(net.rmsNorm("post_attention_norm", attention(net, x)));
    return h.plus(net.rmsNorm("post_ffw_norm", feedForward.of(net, h)));
  }

  private Tensor attention(Net net, Tensor x) {
    int d = sizes.headDim();
    var q = net.rmsNorm("attn_q_norm", net.linear("attn_q", x, sizes.heads() * d));
    var k = net.rmsNorm("attn_k_norm", net.linear("attn_k", x, sizes.kvHeads() * d));
    var v = net.linear("attn_v", x, sizes.kvHeads() * d).heads(sizes.kvHeads());
    var turnedQ = q.heads(sizes.heads()).rope(rope);
    var turnedK = k.heads(sizes.kvHeads()).rope(rope);
    var attended = net.attend(turnedQ, turnedK, v, Attention.full(d));
    return net.linear("attn_output", attended.merge(), sizes.width());
  }
}
