package weft.experts;

/** Hears which experts the rows of a step chose, layer by layer, while the step runs. */
@FunctionalInterface
public interface RoutingListener {
  RoutingListener NONE = (layer, experts) -> {};

  /** The experts that some row uses, in order; the array is the listener's own. */
  void routed(int layer, int[] experts);
}
