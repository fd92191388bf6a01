package weft.cpu.launch;

import java.util.ArrayList;
import java.util.List;
import weft.backend.SequenceState;
import weft.backend.Step;

/**
 * What calls were written for, beside the tokens themselves.
 *
 * @param written how many of the rows, the first, were written rather than read
 * @param isSeen whether they are a picture's
 * @param moves of the shared scratch memory so far
 * @param team how many workers share the calls
 * @param kept rows of drafts that the parts have to make up for, and where they lie
 */
public record StepShape(
    int rows,
    int wanted,
    int written,
    boolean isSeen,
    int moves,
    int team,
    List<Step.Part> parts,
    List<SequenceState.Kept> kept) {
  public static final StepShape NONE = new StepShape(0, 0, 0, false, 0, 0, List.of(), List.of());

  public static StepShape of(Step step, int moves, int team) {
    var kept = new ArrayList<SequenceState.Kept>(step.parts().size());
    for (var part : step.parts()) kept.add(((SequenceState) part.state()).kept());
    return new StepShape(
        step.rows(),
        step.wanted().length,
        step.written(),
        step.isSeen(),
        moves,
        team,
        step.parts(),
        kept);
  }

  /** In what a step of this shape differs from one of the shape before. */
  public Change after(StepShape last) {
    boolean isAlike =
        rows == last.rows
            && wanted == last.wanted
            && written == last.written
            && isSeen == last.isSeen
            && moves == last.moves
            && team == last.team;
    if (!isAlike) return Change.ROWS;
    boolean isSame = parts.equals(last.parts) && kept.equals(last.kept);
    return isSame ? Change.TOKENS : Change.SEQUENCES;
  }
}
