package weft.cpu.launch;

import java.util.List;
import weft.backend.Step;

/**
 * What calls were written for, beside the tokens themselves.
 *
 * @param moves of the shared scratch memory so far
 * @param team how many workers share the calls
 */
public record StepShape(int rows, int wanted, int moves, int team, List<Step.Part> parts) {
  public static final StepShape NONE = new StepShape(0, 0, 0, 0, List.of());

  public static StepShape of(Step step, int moves, int team) {
    return new StepShape(step.rows(), step.wanted().length, moves, team, step.parts());
  }

  /** Whether these are its numbers of rows. */
  public boolean hasAsMany(int stepRows, int stepWanted) {
    return rows == stepRows && wanted == stepWanted;
  }

  /** In what a step of this shape differs from one of the shape before. */
  public Change after(StepShape last) {
    boolean isAlike = last.hasAsMany(rows, wanted) && moves == last.moves && team == last.team;
    if (!isAlike) return Change.ROWS;
    return parts.equals(last.parts) ? Change.TOKENS : Change.SEQUENCES;
  }
}
