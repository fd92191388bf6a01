package weft.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import weft.generate.Model.Step;

/**
 * Steps turns together, one forward pass for all of them; turns join and leave between steps. What
 * goes wrong in one turn ends that turn, what goes wrong in the forward pass ends those that took
 * part in it.
 */
final class Batch {
  private final Model model;
  private final int budget;
  private final List<Turn> turns = new ArrayList<>();

  Batch(Model model, int budget) {
    if (budget < 1) {
      throw new GenerateException("a step's budget must be at least 1 token, got " + budget);
    }
    this.model = model;
    this.budget = budget;
  }

  void add(Turn turn) {
    turns.add(turn);
  }

  /** Runs one forward pass over the turns that are not done, and drops those that are. */
  void step() {
    turns.removeIf(Turn::isDone);
    List<Turn> fed = new ArrayList<>(turns.size());
    List<Step> steps = new ArrayList<>(turns.size());
    plan(fed, steps);
    if (!steps.isEmpty()) {
      forward(fed, steps);
    }
    turns.removeIf(Turn::isDone);
  }

  /**
   * Shares the budget: the turn that needs least is served first and none gets more than an equal
   * part of what is left. So decoding turns get their row, short prompts go in whole, and long
   * prompts take what remains. With more turns than budget the last ones wait.
   */
  private void plan(List<Turn> fed, List<Step> steps) {
    turns.sort(Comparator.comparingInt(Turn::appetite));
    int left = budget;
    int waiting = turns.size();
    for (Turn turn : turns) {
      int share = Math.min(turn.appetite(), Math.ceilDiv(left, waiting));
      waiting--;
      if (share == 0) {
        continue;
      }
      try {
        Step step = turn.plan(share);
        left -= step.tokens().length;
        steps.add(step);
        fed.add(turn);
      } catch (Throwable foreign) {
        turn.fail(wrap("the drafter failed", foreign));
      }
    }
  }

  private void forward(List<Turn> fed, List<Step> steps) {
    List<Logits[]> logits;
    try {
      logits = model.forward(steps);
      requireRows(steps, logits);
    } catch (Throwable error) {
      GenerateException failure = wrap("the forward pass failed", error);
      fed.forEach(turn -> turn.fail(failure));
      return;
    }
    for (int i = 0; i < fed.size(); i++) {
      Turn turn = fed.get(i);
      try {
        turn.accept(logits.get(i));
      } catch (Throwable foreign) {
        turn.fail(wrap("the turn's own code failed (sampling, text or listener)", foreign));
      }
    }
  }

  private static void requireRows(List<Step> steps, List<Logits[]> logits) {
    if (logits.size() != steps.size()) {
      throw new GenerateException(
          "the model answered " + logits.size() + " of " + steps.size() + " steps");
    }
    for (int i = 0; i < steps.size(); i++) {
      if (logits.get(i).length != steps.get(i).wanted()) {
        throw new GenerateException(
            "the model gave "
                + logits.get(i).length
                + " rows of logits where "
                + steps.get(i).wanted()
                + " were wanted");
      }
    }
  }

  /** The rooms' own exceptions are sentences; of others the kind says more. */
  private static String reason(Throwable cause) {
    boolean isOurs = cause.getClass().getPackageName().startsWith("weft.");
    return isOurs ? cause.getMessage() : cause.toString();
  }

  static GenerateException wrap(String what, Throwable cause) {
    return cause instanceof GenerateException ours
        ? ours
        : new GenerateException(what + ": " + reason(cause), cause);
  }
}
