package weft.generate;

import java.util.List;
import java.util.Optional;

/**
 * A drafter's work for one turn; may hold state, which ends with the turn. Belongs to the thread
 * that runs its turn.
 */
@FunctionalInterface
public interface Drafting extends AutoCloseable {
  Drafting NONE = max -> new int[0];

  /**
   * What a forward pass has shown of the turn's text, which already holds what was sampled.
   *
   * @param from which token of the text is the first that the pass fed
   * @param fed tokens that the pass fed, its draft included
   * @param drafted how many of them were a draft, the last ones; fewer than were proposed where the
   *     pass had no room for all
   * @param accepted how many of the draft, its first ones, are now in the text
   * @param hidden the rows that the fed tokens which are in the text have at the drafter's {@link
   *     Drafter#point}; none if it has none
   */
  record Pass(int from, int fed, int drafted, int accepted, List<float[]> hidden) {
    public Pass {
      hidden = List.copyOf(hidden);
    }
  }

  /** At most {@code max} tokens that may follow the text. */
  int[] propose(int max);

  /** Called after each forward pass of the turn but its last, those of its prompt included. */
  default void learn(Pass pass) {}

  /** Why it guesses no more, where it has stopped for good. */
  default Optional<String> stopped() {
    return Optional.empty();
  }

  /**
   * Gives back what it holds of the memory that the model's sessions share, since the turn gives
   * its own back and goes on later; says whether it must be shown the text's rows again for it.
   */
  default boolean release() {
    return false;
  }

  @Override
  default void close() {}
}
