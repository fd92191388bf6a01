package weft.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import weft.generate.Drafter.Ask;
import weft.generate.Model.Step;

/**
 * Steps turns together, one forward pass for all of them; turns join and leave between steps. What
 * goes wrong in one turn ends that turn, what goes wrong in the forward pass ends those that took
 * part in it.
 */
final class Batch {
  private final Model model;
  private final int budget;
  private final BooleanSupplier spare;
  private final List<Turn> turns = new ArrayList<>();

  Batch(Model model, int budget) {
    this(model, budget, () -> false);
  }

  /**
   * @param spare gives memory back that could be done without, and says whether there was any
   */
  Batch(Model model, int budget, BooleanSupplier spare) {
    if (budget < 1) {
      throw new GenerateException("a step's budget must be at least 1 token, got " + budget);
    }
    this.model = model;
    this.budget = budget;
    this.spare = spare;
  }

  void add(Turn turn) {
    turns.add(turn);
  }

  /** Runs one forward pass over the turns that are not done, and drops those that are. */
  void step() {
    turns.removeIf(Turn::isDone);
    draft();
    turns.removeIf(Turn::isDone);
    List<Turn> fed = new ArrayList<>(turns.size());
    List<Step> steps = new ArrayList<>(turns.size());
    plan(fed, steps);
    if (!steps.isEmpty()) {
      forward(fed, steps);
    }
    turns.removeIf(Turn::isDone);
  }

  /** Asks each drafter once, for all of its turns that have room for a draft. */
  private void draft() {
    int[] shares = shares(Turn::appetite);
    Map<Drafter, List<Turn>> asking = new IdentityHashMap<>();
    Map<Turn, Ask> asks = new IdentityHashMap<>();
    for (int i = 0; i < shares.length; i++) {
      Turn turn = turns.get(i);
      Ask ask = turn.ask(shares[i]);
      if (ask.max() > 0) {
        asks.put(turn, ask);
        asking.computeIfAbsent(turn.drafter(), _ -> new ArrayList<>()).add(turn);
      }
    }
    asking.forEach((drafter, of) -> draft(drafter, of, of.stream().map(asks::get).toList()));
  }

  private static void draft(Drafter drafter, List<Turn> of, List<Ask> asks) {
    List<int[]> proposals;
    try {
      proposals = drafter.propose(asks);
      if (proposals.size() != asks.size()) {
        throw new GenerateException(
            "the drafter gave "
                + proposals.size()
                + " proposals where "
                + asks.size()
                + " were asked for");
      }
    } catch (Throwable foreign) {
      // An exception of each turn's own: each may have more to add to it.
      of.forEach(
          turn ->
              turn.fail(new GenerateException("the drafter failed: " + reason(foreign), foreign)));
      return;
    }
    for (int i = 0; i < of.size(); i++) {
      try {
        of.get(i).guess(proposals.get(i), asks.get(i).max());
      } catch (Throwable foreign) {
        of.get(i).fail(wrap("the drafter failed", foreign));
      }
    }
  }

  private void plan(List<Turn> fed, List<Step> steps) {
    int[] shares = shares(Turn::need);
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > 0) {
        fed.add(turns.get(i));
        steps.add(turns.get(i).plan(shares[i]));
      }
    }
  }

  /**
   * Shares the budget, a number for each turn: the turn that needs least is served first and none
   * gets more than an equal part of what is left. So decoding turns get their row, short prompts go
   * in whole, and long prompts take what remains. With more turns than budget the last ones wait.
   */
  private int[] shares(ToIntFunction<Turn> need) {
    turns.sort(Comparator.comparingInt(need));
    int[] shares = new int[turns.size()];
    int left = budget;
    for (int i = 0; i < shares.length; i++) {
      int part = Math.ceilDiv(left, shares.length - i);
      shares[i] = Math.min(need.applyAsInt(turns.get(i)), part);
      left -= shares[i];
    }
    return shares;
  }

  private void forward(List<Turn> fed, List<Step> steps) {
    List<Logits[]> logits;
    try {
      logits = model.forward(steps);
      requireRows(steps, logits);
    } catch (StepRefusedException refusal) {
      forwardWithout(refusal, fed, steps);
      return;
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
        turn.fail(
            wrap("the turn's own code failed (sampling, text, listener or drafter)", foreign));
      }
    }
  }

  /**
   * Turns that there is no memory for wait until others end and give theirs back. Where nobody can
   * go on, the turn that needs most ends: with its memory the next step serves the rest.
   */
  private void forwardWithout(StepRefusedException refusal, List<Turn> fed, List<Step> steps) {
    if (spare.getAsBoolean()) {
      forward(fed, steps);
      return;
    }
    List<Turn> served = new ArrayList<>();
    List<Step> theirs = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      if (!refusal.refused().contains(steps.get(i))) {
        served.add(fed.get(i));
        theirs.add(steps.get(i));
      }
    }
    if (served.isEmpty() || served.size() == fed.size()) {
      fed.getLast().fail(refusal);
    } else {
      forward(served, theirs);
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
