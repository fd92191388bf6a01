package weft.generate;

/**
 * Forbids tokens before one is chosen, as a grammar does. One mask serves one turn: it is asked
 * once for each token that is chosen, in the order of the text, also under speculation, and hears
 * every token. It is called on the thread that runs the model.
 */
@FunctionalInterface
public interface Mask {
  Mask NONE = logits -> {};

  /** Sets the logits of what may not come next to negative infinity; at least one must stay. */
  void apply(float[] logits);

  /**
   * The tokens that must come next, one after the other, as far as they are known: none where there
   * is a choice. They are fed together and not asked {@link #apply} for; each is then told to
   * {@link #chosen}, unless the reply ends before.
   */
  default int[] forced() {
    return new int[0];
  }

  /** Hears the token that came. */
  default void chosen(int token) {}
}
