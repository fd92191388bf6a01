package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Guesses the next tokens of replies; a wrong guess costs time, never correctness. It is opened for
 * each turn that it drafts for, and what it knows of a turn is in the {@link Drafting} that this
 * gives. All calls come from the thread that runs the model.
 */
@FunctionalInterface
public interface Drafter {
  Drafter NONE = known -> Drafting.NONE;

  /**
   * Begins to draft for a turn whose text so far, and later, is {@code known}: a live view. The
   * turn closes what it gets when it ends, however it ends.
   */
  Drafting open(Tokens known);

  /** The point of the model whose rows it learns from ({@link Model#points()}), if any. */
  default Optional<String> point() {
    return Optional.empty();
  }

  /**
   * At most {@code max} tokens that may follow the text of a turn.
   *
   * @param drafting of this drafter
   */
  record Ask(Drafting drafting, int max) {}

  /**
   * Guesses for all turns of a step that want one, a proposal for each and in their order: here one
   * after the other, but a drafter that has a model of its own runs it once for all of them. One
   * that throws is not asked again for these turns, which go on without it.
   */
  default List<int[]> propose(List<Ask> asks) {
    var proposals = new ArrayList<int[]>(asks.size());
    for (Ask ask : asks) {
      proposals.add(ask.drafting().propose(ask.max()));
    }
    return proposals;
  }
}
