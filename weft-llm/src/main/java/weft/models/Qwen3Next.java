package weft.models;

import java.util.Set;
import java.util.function.IntPredicate;
import weft.net.Architecture;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Qwen3-Next: three layers of gated DeltaNet to one of gated attention, and a mixture of many small
 * experts with a shared one after each.
 */
record Qwen3Next(
    Sizes sizes,
    GatedAttention attention,
    DeltaNet delta,
    SparseLayers feedForwards,
    Norm norm,
    IntPredicate isFull)
    implements Architecture {
  static final Family FAMILY =
      new Family("Qwen3-Next", Set.of("qwen3next"), Set.of("qwen3_next"), naming(), Qwen3Next::of);

  private static Naming naming() {
    return DeltaNet.named(SparseLayers.named(Naming.transformers()))
        .assuming("attention.key_length", 256L)
        .layer("post_attention_layernorm", "post_attention_norm")
        .layer("linear_attn.in_proj_qkvz", "ssm_in")
        .layer("linear_attn.in_proj_ba", "ssm_ba");
  }

  static Qwen3Next of(Meta m) {
    var sizes = Sizes.of(m);
    var norm = Norm.aroundOne(m);
    return new Qwen3Next(
        sizes,
        new GatedAttention(sizes, norm, Rope.partial(m, sizes.headDim(), 0.25)),
        DeltaNet.of(m, Net.KeySharing.NEIGHBOURS),
        SparseLayers.of(m, FeedForward.Sparse.TopK.RENORMALIZED),
        norm,
        fullLayers(m));
  }

  /** Every fourth layer attends, unless the checkpoint lists the recurrent ones. */
  static IntPredicate fullLayers(Meta m) {
    int interval = m.integer("full_attention_interval", Range.MARK, 4);
    return LayerKinds.full(m, "linear_attention", "attention.recurrent_layers", interval);
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
    var in = norm.of(net, "attn_norm", x);
    var mixed =
        isFull.test(layer)
            ? attention.of(net, in)
            : delta.of(net, projected(net, in), sizes.width());
    var h = x.plus(mixed);
    return h.plus(feedForwards.at(layer).of(net, norm.of(net, "post_attention_norm", h)));
  }

  /** A key head's query, key, values and gates lie together; GGUF takes them apart beforehand. */
  private DeltaNet.Inputs projected(Net net, Tensor x) {
    int keyHeads = delta.keyHeads();
    int keyDim = delta.keyDim();
    int shared = delta.valueHeads() / keyHeads;
    var ba = net.linear("ssm_ba", x, 2 * delta.valueHeads()).heads(keyHeads);
    var beta = ba.slice(0, shared).merge();
    var alpha = ba.slice(shared, 2 * shared).merge();
    if (!net.has("ssm_in.weight")) {
      var qkv = net.linear("attn_qkv", x, 2 * delta.keys() + delta.values());
      return new DeltaNet.Inputs(qkv, net.linear("attn_gate", x, delta.values()), beta, alpha);
    }
    int values = shared * delta.valueDim();
    var all = net.linear("ssm_in", x, 2 * (delta.keys() + delta.values())).heads(keyHeads);
    var q = all.slice(0, keyDim).merge();
    var k = all.slice(keyDim, 2 * keyDim).merge();
    var v = all.slice(2 * keyDim, 2 * keyDim + values).merge();
    var gate = all.slice(2 * keyDim + values, 2 * (keyDim + values)).merge();
    return new DeltaNet.Inputs(net.concat(q, k, v), gate, beta, alpha);
  }
}
