package weft.models;

import java.util.List;
import java.util.function.Supplier;
import weft.net.Activation;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Range;

/** Feed-forwards of experts, with dense ones at the layers listed and between steps. */
record SparseLayers(
    FeedForward sparse, Supplier<FeedForward> dense, List<Double> denseLayers, int step) {
  static SparseLayers of(Meta m, FeedForward.Sparse.TopK otherwise) {
    return new SparseLayers(
        FeedForward.Sparse.of(m, otherwise),
        () -> FeedForward.Gated.of(m, Activation.SILU),
        m.numbers("dense_layers", Range.MARK),
        Math.max(1, m.integer("sparse_step", Range.MARK, 1)));
  }

  static Naming named(Naming naming) {
    return FeedForward.Sparse.named(naming)
        .key("mlp_only_layers", "dense_layers")
        .key("decoder_sparse_step", "sparse_step");
  }

  FeedForward at(int layer) {
    boolean isSparse = !denseLayers.contains((double) layer) && (layer + 1) % step == 0;
    return isSparse ? sparse : dense.get();
  }
}
