package weft.models;

import java.util.Set;
import weft.net.Architecture;
import weft.net.Attention;
import weft.net.Family;
import weft.net.Meta;
import weft.net.ModelException;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Llama 2, 3, 3.1, 3.2 (arXiv:2407.21783) and Mistral (arXiv:2310.06825), which adds a sliding
 * window: pre-norm blocks of grouped-query attention and a SwiGLU feed-forward.
 */
record Llama(
    int layers,
    int width,
    int hidden,
    int heads,
    int kvHeads,
    int headDim,
    Rope rope,
    Attention attention,
    int contextLength)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "Llama, Mistral",
          Set.of("llama", "mistral"),
          Set.of("llama", "mistral"),
          Naming.transformers(),
          Llama::of);

  static Llama of(Meta m) {
    var activation = m.text("activation", "silu");
    if (!activation.equals("silu")) {
      throw new ModelException("hidden_act is " + activation + ", expected silu in a Llama");
    }
    int width = m.integer("embedding_length");
    int heads = m.integer("attention.head_count");
    int headDim = m.integer("attention.key_length", width / heads);
    var attention = Attention.full(headDim);
    int window = m.integer("attention.sliding_window", 0);
    // llama.cpp's converter reorders the rows of q and k so that neighbours turn together.
    var pairing =
        switch (m.convention()) {
          case LLAMA_CPP -> Rope.Pairing.NEIGHBOURS;
          case TRANSFORMERS -> Rope.Pairing.HALVES;
        };
    return new Llama(
        m.integer("block_count"),
        width,
        m.integer("feed_forward_length"),
        heads,
        m.integer("attention.head_count_kv", heads),
        headDim,
        Rope.of(m, headDim).paired(pairing),
        window > 0 ? attention.within(window) : attention,
        m.integer("context_length"));
  }

  @Override
  public Tensor logits(Net net) {
    var x = net.tap("hidden.0", net.embed("token_embd", width));
    for (int i = 0; i < layers; i++) x = net.tap("hidden." + (i + 1), block(net.layer(i), x));
    return net.head("output", "token_embd", net.tap("hidden.norm", net.rmsNorm("output_norm", x)));
  }

  private Tensor block(Net net, Tensor x) {
    var h = x.plus(attention(net, net.rmsNorm("attn_norm", x)));
    return h.plus(feedForward(net, net.rmsNorm("ffn_norm", h)));
  }

  private Tensor attention(Net net, Tensor x) {
    var q = net.linear("attn_q", x, heads * headDim).heads(heads).rope(rope);
    var k = net.linear("attn_k", x, kvHeads * headDim).heads(kvHeads).rope(rope);
    var v = net.linear("attn_v", x, kvHeads * headDim).heads(kvHeads);
    return net.linear("attn_output", net.attend(q, k, v, attention).merge(), width);
  }

  private Tensor feedForward(Net net, Tensor x) {
    var gate = net.linear("ffn_gate", x, hidden).silu();
    return net.linear("ffn_down", gate.times(net.linear("ffn_up", x, hidden)), width);
  }
}
