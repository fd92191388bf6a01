package weft.models;

import weft.net.Net;
import weft.net.Tensor;

/**
 * What all decoders do around their blocks, and the points they name: {@code embedding}, {@code
 * layer.0} and so on, and {@code final}, after the last norm and before the head.
 */
final class Decoder {
  private Decoder() {}

  /** One layer: its weights, its number, and what comes in. */
  @FunctionalInterface
  interface Block {
    Tensor of(Net net, int layer, Tensor x);
  }

  /** From embedded tokens through the blocks and the last norm to logits. */
  static Tensor logits(Net net, Sizes sizes, Tensor embedded, Block block, Norm norm) {
    var x = net.point("embedding", net.shown(embedded));
    for (int i = 0; i < sizes.layers(); i++) {
      x = net.point("layer." + i, net.deepened(i, block.of(net.layer(i), i, x)));
    }
    return net.head("output", "token_embd", net.point("final", norm.of(net, "output_norm", x)));
  }
}
