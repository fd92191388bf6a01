package weft.models;

import java.util.Set;
import java.util.function.IntPredicate;
import weft.net.Activation;
import weft.net.Architecture;
import weft.net.Attention;
import weft.net.Family;
import weft.net.Meta;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * SmolLM3: Llama in which every fourth layer does not see positions (arXiv:2501.18795); those
 * layers may see a window only.
 */
record SmolLm3(
    Sizes sizes,
    SelfAttention attention,
    FeedForward feedForward,
    Rope rope,
    IntPredicate seesPositions,
    Windows windows)
    implements Architecture {
  static final Family FAMILY =
      new Family(
          "SmolLM3",
          Set.of("smollm3"),
          Set.of("smollm3"),
          Qwen2.naming()
              .key("no_rope_layers", "rope.layers")
              .key("no_rope_layer_interval", "rope.skip_interval")
              .assuming("rope.freq_base", 2e6),
          SmolLm3::of);

  static SmolLm3 of(Meta m) {
    var sizes = Sizes.of(m);
    var seesPositions = seesPositions(m);
    return new SmolLm3(
        sizes,
        new SelfAttention(sizes, Norm.NONE),
        FeedForward.Gated.of(m, Activation.SILU),
        Rope.of(m, sizes.headDim()).paired(Llama.pairing(m)),
        seesPositions,
        windows(m, seesPositions));
  }

  /** Transformers lists the layers, with a one for each that turns. */
  private static IntPredicate seesPositions(Meta m) {
    var turns = m.numbers("rope.layers", Range.MARK);
    int interval = m.integer("rope.skip_interval", Range.MARK, 4);
    return layer ->
        layer < turns.size() ? turns.get(layer) != 0 : interval < 1 || (layer + 1) % interval != 0;
  }

  private static Windows windows(Meta m, IntPredicate seesPositions) {
    if (!m.flag("attention.use_sliding_window", false)) return Windows.NONE;
    int tokens = m.integer("attention.sliding_window", Range.POSITIONS_OR_NONE, 0);
    return tokens > 0 && m.texts("layer_types").isEmpty()
        ? new Windows(tokens, seesPositions)
        : Windows.between(m, tokens, 1);
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
    var turned = seesPositions.test(layer) ? rope : Rope.NONE;
    var h = x.plus(attention.of(net, net.rmsNorm("attn_norm", x), turned, how));
    return h.plus(feedForward.of(net, net.rmsNorm("ffn_norm", h)));
  }
}
