package weft.models;

import weft.net.Meta;
import weft.net.ModelException;
import weft.net.Rope;

/** The sizes that every decoder has. */
record Sizes(int layers, int width, int heads, int kvHeads, int headDim, int contextLength) {
  static Sizes of(Meta m) {
    int width = m.integer("embedding_length");
    int heads = m.integer("attention.head_count");
    int kvHeads = m.integer("attention.head_count_kv", heads);
    if (heads < 1 || kvHeads < 1 || heads % kvHeads != 0) {
      throw new ModelException(
          "attention.head_count is %d, expected a multiple of head_count_kv %d"
              .formatted(heads, kvHeads));
    }
    // GGUF counts the blocks of a multi-token-prediction head with the layers.
    int layers = m.integer("block_count") - m.integer("nextn_predict_layers", 0);
    int headDim = m.integer("attention.key_length", width / heads);
    return new Sizes(layers, width, heads, kvHeads, headDim, Rope.reach(m));
  }
}
