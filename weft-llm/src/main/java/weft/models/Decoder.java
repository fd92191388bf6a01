package weft.models;

import weft.net.Net;
import weft.net.Tensor;

/** What all decoders do around their blocks. */
final class Decoder {
  private Decoder() {}

  /** One layer: its weights, its number, and what comes in. */
  @FunctionalInterface
  interface Block {
    Tensor of(Net net, int layer, Tensor x);
  }

  /** From embedded tokens through the blocks and the last norm to logits. */
  static Tensor logits(Net net, Sizes sizes, Tensor embedded, Block block, Norm norm) {
    var x = net.tap("hidden.0", embedded);
    for (int i = 0; i < sizes.layers(); i++) {
      x = net.tap("hidden." + (i + 1), block.of(net.layer(i), i, x));
    }
    return net.head("output", "token_embd", net.tap("hidden.norm", norm.of(net, "output_norm", x)));
  }
}
