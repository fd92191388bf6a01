package weft.cli.synth;

import java.util.Optional;

/**
 * The sizes of a checkpoint.
 *
 * @param architecture the name in {@code general.architecture}
 * @param window how far sliding layers look back; 0 for none
 * @param parts what the architecture has besides
 */
public record Shape(
    String name,
    String architecture,
    int layers,
    int width,
    int heads,
    int kvHeads,
    int headDim,
    int feedForward,
    int vocabulary,
    int context,
    float ropeBase,
    float epsilon,
    int window,
    Embeddings embeddings,
    Parts parts) {

  /** Whether the logits come from the embedding table or from a matrix of their own. */
  public enum Embeddings {
    TIED,
    UNTIED
  }

  /** What sets an architecture's layers apart. */
  public sealed interface Parts {
    /** Norms before attention and feed-forward; rope frequencies in a tensor where scaled. */
    record Plain(Optional<RopeScaling> scaling) implements Parts {}

    /** Norms over each query and key head. */
    record HeadNorms() implements Parts {}

    /**
     * Head norms, and norms behind attention and feed-forward too; windows but for every {@code
     * interval}-th layer.
     */
    record NormsAround(float slidingRopeBase, int interval) implements Parts {}

    /** Head norms, and experts in place of the feed-forward. */
    record Experts(int count, int used, int feedForward) implements Parts {}

    /**
     * Delta-rule layers with gated attention at every {@code interval}-th, and behind them {@code
     * ahead} heads for multi-token prediction.
     */
    record Hybrid(
        int keyHeads, int valueHeads, int headDim, int taps, int interval, int ropeDims, int ahead)
        implements Parts {}
  }

  /** How Llama 3 stretches rope beyond the context it was trained with. */
  public record RopeScaling(float factor, float low, float high, int original) {
    /** What a pair's frequency is divided by. */
    float divisor(int pair, int headDim, float base) {
      double length = 2 * Math.PI * Math.pow(base, 2.0 * pair / headDim);
      if (length < original / high) return 1;
      if (length > original / low) return factor;
      double smooth = (original / length - low) / (high - low);
      return (float) (1 / ((1 - smooth) / factor + smooth));
    }
  }

  public Shape withLayers(int count) {
    return with(count, vocabulary, parts);
  }

  /** The same with fewer tokens, of which logits alone know. */
  public Shape withVocabulary(int tokens) {
    return with(layers, tokens, parts);
  }

  /** The same with fewer experts, where there are any. */
  public Shape withExperts(int count) {
    return parts instanceof Parts.Experts(_, int used, int width)
        ? with(layers, vocabulary, new Parts.Experts(count, used, width))
        : this;
  }

  private Shape with(int layerCount, int tokens, Parts other) {
    return new Shape(
        name,
        architecture,
        layerCount,
        width,
        heads,
        kvHeads,
        headDim,
        feedForward,
        tokens,
        context,
        ropeBase,
        epsilon,
        window,
        embeddings,
        other);
  }
}
