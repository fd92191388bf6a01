package weft.models;

import weft.net.Meta;
import weft.net.Rope;

/** The sizes that every decoder has. */
record Sizes(int layers, int width, int heads, int kvHeads, int headDim, int contextLength) {
  static Sizes of(Meta m) {
    int width = m.integer("embedding_length");
    int heads = m.integer("attention.head_count");
    int kvHeads = m.integer("attention.head_count_kv", heads);
    if (heads < 1 || kvHeads < 1 || heads % kvHeads != 0) {
      throw m.wrong(
          "attention.head_count",
          heads,
          "a multiple of the " + kvHeads + " of " + m.spelling("attention.head_count_kv"));
    }
    if (width < 1) throw m.wrong("embedding_length", width, "at least 1");
    // GGUF counts the blocks of a multi-token-prediction head with the layers.
    int layers = m.integer("block_count") - m.integer("nextn_predict_layers", 0);
    if (layers < 1) throw m.wrong("block_count", layers, "at least 1");
    int headDim = m.integer("attention.key_length", width / heads);
    return new Sizes(layers, width, heads, kvHeads, headDim, Rope.reach(m));
  }
}
