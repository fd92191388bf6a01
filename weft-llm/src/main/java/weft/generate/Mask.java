package weft.generate;

/**
 * Forbids tokens before one is chosen, as a grammar does. One mask serves one turn: it is asked
 * once for each token, in the order of the text, also under speculation. It is called on the thread
 * that runs the model.
 */
@FunctionalInterface
public interface Mask {
  Mask NONE = logits -> {};

  /** Sets the logits of what may not come next to negative infinity; at least one must stay. */
  void apply(float[] logits);

  /** Hears the token that was chosen. */
  default void chosen(int token) {}
}
