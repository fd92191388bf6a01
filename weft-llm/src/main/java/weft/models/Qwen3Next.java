package weft.models;

import java.util.Optional;
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
      new Family(
          "Qwen3-Next",
          Set.of("qwen3next"),
          Set.of("qwen3_next"),
          naming(),
          Qwen3Next::of,
          Qwen3Next::head);

  private static Naming naming() {
    var naming = DeltaNet.named(SparseLayers.named(Naming.transformers()));
    return MtpHead.named(
        naming
            .assuming("attention.key_length", 256L)
            .layer("post_attention_layernorm", "post_attention_norm")
            .layer("linear_attn.in_proj_qkvz", "ssm_in")
            .layer("linear_attn.in_proj_ba", "ssm_ba"));
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

  private static Optional<Architecture> head(Meta m, int vocabulary) {
    var trunk = of(m);
    var sparse = trunk.feedForwards.sparse();
    MtpHead.Block block = (net, x) -> trunk.fed(net, trunk.attending(net, x), sparse);
    return MtpHead.of(m, trunk.sizes, trunk.norm, block, vocabulary);
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
    var h = isFull.test(layer) ? attending(net, x) : recalling(net, x);
    return fed(net, h, feedForwards.at(layer));
  }

  private Tensor attending(Net net, Tensor x) {
    return x.plus(attention.of(net, norm.of(net, "attn_norm", x)));
  }

  private Tensor recalling(Net net, Tensor x) {
    var in = norm.of(net, "attn_norm", x);
    return x.plus(delta.of(net, projected(net, in), sizes.width()));
  }

  private Tensor fed(Net net, Tensor h, FeedForward feedForward) {
    return h.plus(feedForward.of(net, norm.of(net, "post_attention_norm", h)));
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
