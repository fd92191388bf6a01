package weft.models;

import weft.net.Meta;
import weft.net.Range;
import weft.net.Rope;

/** The sizes that every decoder has. */
record Sizes(int layers, int width, int heads, int kvHeads, int headDim, int contextLength) {
  static Sizes of(Meta m) {
    int width = m.integer("embedding_length", Range.WIDTH);
    int heads = m.integer("attention.head_count", Range.COUNT);
    int kvHeads = m.integer("attention.head_count_kv", Range.COUNT, heads);
    if (heads % kvHeads != 0) {
      throw m.wrong(
          "attention.head_count",
          heads,
          "a multiple of the " + kvHeads + " of " + m.spelling("attention.head_count_kv"));
    }
    // GGUF counts the blocks of a multi-token-prediction head with the layers.
    int blocks = m.integer("block_count", Range.LAYERS);
    int ahead = m.integer("nextn_predict_layers", Range.MARK, 0);
    if (ahead >= blocks) {
      throw m.wrong(
          "nextn_predict_layers", ahead, "fewer than the " + blocks + " blocks there are");
    }
    int headDim = m.integer("attention.key_length", Range.HEAD, width / heads);
    return new Sizes(blocks - ahead, width, heads, kvHeads, headDim, Rope.reach(m));
  }
}
