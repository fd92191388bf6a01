package weft.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import weft.generate.DraftLengths.Wish;
import weft.generate.Drafter.Ask;
import weft.generate.Model.Step;

/**
 * Steps turns together, one forward pass for all of them; turns join and leave between steps. What
 * goes wrong in one turn ends that turn, what goes wrong in the forward pass ends those that took
 * part in it.
 */
final class Batch {
  /** A turn that has no more than this to feed needs no step of its own to be read. */
  private static final int FEW = 4;

  /** So much of a prompt is read with less regard for those who write: most are no longer. */
  private static final int BEGINNING = 256;

  /** What a forward pass has fed, of how many turns, and how many tokens they got by it. */
  record Fed(int turns, int tokens, int generated) {}

  private final Model model;
  private final int budget;
  private final BooleanSupplier relief;
  private final LongSupplier nanos;
  private final StepCost cost = new StepCost(StepCost.Typical.MEDIAN);
  private final StepCost least = new StepCost(StepCost.Typical.LEAST);
  private final Pace pace = new Pace(cost);
  private final DraftLengths lengths = new DraftLengths(least);
  private final List<Turn> turns = new ArrayList<>(); // by priority, then as they came

  /**
   * @param relief makes room for a step that was refused, maybe by taking turns away, and says
   *     whether there was any to be had
   * @param nanos the time
   */
  Batch(Model model, int budget, BooleanSupplier relief, LongSupplier nanos) {
    if (budget < 1) {
      throw new GenerateException("a step's budget must be at least 1 token, got " + budget);
    }
    this.model = model;
    this.budget = budget;
    this.relief = relief;
    this.nanos = nanos;
  }

  void add(Turn turn) {
    turns.add(turn);
    turns.sort(Comparator.comparing(Turn::priority));
  }

  void remove(Turn turn) {
    turns.remove(turn);
  }

  /** Learns what a step takes that nobody waits for; says whether it was the last of them. */
  boolean rehearse(Rehearsal rehearsal) {
    return rehearsal.step(model, budget, this::ran, nanos);
  }

  private void ran(int tokens, long took) {
    cost.ran(tokens, took);
    least.ran(tokens, took);
  }

  /** Runs one forward pass over the turns that are not done; none where it could not be run. */
  Optional<Fed> step() {
    turns.removeIf(Turn::isDone);
    draft();
    while (true) {
      turns.removeIf(Turn::isDone);
      List<Turn> fed = new ArrayList<>(turns.size());
      List<Step> steps = new ArrayList<>(turns.size());
      plan(fed, steps);
      if (steps.isEmpty()) return Optional.empty();
      try {
        return Optional.of(run(fed, steps));
      } catch (StepRefusedException refusal) {
        if (!relief.getAsBoolean()) fed.getLast().fail(refusal);
      } catch (Throwable error) {
        GenerateException failure = wrap("the forward pass failed", error);
        fed.forEach(turn -> turn.fail(failure));
        return Optional.empty();
      }
    }
  }

  private Fed run(List<Turn> fed, List<Step> steps) {
    long began = nanos.getAsLong();
    List<Logits[]> logits = model.forward(steps);
    requireRows(steps, logits);
    int generated = accept(fed, logits);
    int tokens = steps.stream().mapToInt(step -> step.tokens().length).sum();
    long took = nanos.getAsLong() - began;
    ran(tokens, took);
    learn(fed, steps, tokens, took);
    return new Fed(fed.size(), tokens, generated);
  }

  /**
   * What came of drafts; of those whose turn has ended there is no telling why they did not hold.
   */
  private void learn(List<Turn> fed, List<Step> steps, int tokens, long took) {
    int drafted = 0;
    int held = 0;
    int writing = 0;
    for (int i = 0; i < fed.size(); i++) {
      Turn turn = fed.get(i);
      if (steps.get(i).wanted() > 0) writing++;
      drafted += turn.drafted();
      held += turn.held();
      if (turn.drafted() > 0 && !turn.isDone()) {
        lengths.saw(turn.drafter(), turn.acceptance(), turn.drafted(), turn.held());
      }
    }
    lengths.ran(tokens, drafted, held, writing, took);
  }

  /** Who feeds a token or a few, as who writes does: a row of every step is theirs. */
  private static boolean isShort(Turn turn) {
    return turn.isWriting() || turn.backlog() <= FEW;
  }

  /**
   * Asks each drafter once, for all of its turns that have room for a draft: they share what is
   * left of the step, or half of it while others read.
   */
  private void draft() {
    int room = budget;
    boolean isAnyoneReading = false;
    List<Turn> writing = new ArrayList<>(turns.size());
    for (Turn turn : turns) {
      isAnyoneReading |= !isShort(turn);
      if (isShort(turn)) {
        room -= turn.backlog();
        writing.add(turn);
      }
    }
    int rows = budget - room;
    if (isAnyoneReading) room /= 2;
    Map<Turn, Integer> wanted = wanted(writing, rows, room);
    int drafting = (int) wanted.values().stream().filter(most -> most > 0).count();
    Map<Drafter, List<Turn>> asking = new IdentityHashMap<>();
    Map<Turn, Ask> asks = new IdentityHashMap<>();
    int longest = 0;
    boolean isAnyonesFirst = false;
    for (Turn turn : turns) {
      int part = wanted.getOrDefault(turn, 0);
      if (part > 0) {
        part = Math.clamp(Math.ceilDiv(room, drafting--), 0, part);
        room -= part;
      }
      isAnyonesFirst |= part > 0 && turn.isFirstDraft();
      Ask ask = turn.ask(part);
      if (part > 0) {
        longest = Math.max(longest, part);
        asks.put(turn, ask);
        asking.computeIfAbsent(turn.drafter(), _ -> new ArrayList<>()).add(turn);
      }
    }
    if (asking.isEmpty()) return;
    long began = nanos.getAsLong();
    asking.forEach((drafter, of) -> draft(drafter, of, of.stream().map(asks::get).toList()));
    if (isAnyonesFirst) lengths.begun(longest);
    else lengths.asked(longest, nanos.getAsLong() - began);
  }

  /** How long a draft each of those who write is to have. */
  private Map<Turn, Integer> wanted(List<Turn> writing, int rows, int room) {
    Map<Turn, Integer> wanted = new IdentityHashMap<>();
    List<Turn> adaptive = new ArrayList<>();
    List<Wish> wishes = new ArrayList<>();
    int fixed = 0;
    for (Turn turn : writing) {
      if (turn.appetite() <= 0) continue;
      if (turn.isAdaptive()) {
        adaptive.add(turn);
        wishes.add(new Wish(turn.drafter(), turn.acceptance(), turn.appetite()));
      } else {
        wanted.put(turn, turn.appetite());
        fixed += turn.appetite();
      }
    }
    int[] chosen = lengths.choose(rows + fixed, writing.size(), Math.max(0, room - fixed), wishes);
    for (int i = 0; i < chosen.length; i++) wanted.put(adaptive.get(i), chosen[i]);
    return wanted;
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
    } catch (RuntimeException | Error foreign) {
      of.forEach(turn -> turn.stopDrafting(reason(foreign)));
      return;
    }
    for (int i = 0; i < of.size(); i++) {
      try {
        of.get(i).guess(proposals.get(i), asks.get(i).max());
      } catch (RuntimeException | Error foreign) {
        of.get(i).stopDrafting(reason(foreign));
      }
    }
  }

  /**
   * Shares the step: those who write get their rows, and what their pace allows goes to prompts, to
   * the first of them whole before the next. With more turns than tokens the last ones wait.
   */
  private void plan(List<Turn> fed, List<Step> steps) {
    int left = budget;
    for (Turn turn : turns) {
      if (isShort(turn)) left -= plan(turn, left, fed, steps);
    }
    int room = room(budget - left, left);
    for (Turn turn : turns) {
      if (!isShort(turn)) room -= plan(turn, room, fed, steps);
    }
  }

  /** How many tokens of prompts a step reads beside those that were written, at most so many. */
  private int room(int written, int left) {
    int writers = (int) turns.stream().filter(Turn::isWriting).count();
    if (writers == 0) {
      pace.rest();
      return left;
    }
    List<Turn> readers = turns.stream().filter(turn -> !isShort(turn)).toList();
    int waiting = readers.stream().mapToInt(Turn::need).sum();
    boolean isNew = !readers.isEmpty() && isNew(readers.getFirst());
    double each = (double) readers.size() / writers;
    if (!isNew && each <= 1) return pace.next(written, waiting, left);
    long beginning = readers.stream().filter(Batch::isNew).count();
    return pace.first(written, waiting, left, isNew ? Math.max(beginning, each) : each);
  }

  private static boolean isNew(Turn reader) {
    return reader.fed() < BEGINNING;
  }

  /** Gives how many tokens it takes of its share. */
  private static int plan(Turn turn, int share, List<Turn> fed, List<Step> steps) {
    if (share <= 0) return 0;
    fed.add(turn);
    steps.add(turn.plan(Math.min(share, turn.need())));
    return steps.getLast().tokens().length;
  }

  private int accept(List<Turn> fed, List<Logits[]> logits) {
    int before = fed.stream().mapToInt(Turn::generated).sum();
    for (int i = 0; i < fed.size(); i++) {
      Turn turn = fed.get(i);
      try {
        turn.accept(logits.get(i));
      } catch (Throwable foreign) {
        turn.fail(
            wrap("the turn's own code failed (sampling, text, listener or drafter)", foreign));
      }
    }
    return fed.stream().mapToInt(Turn::generated).sum() - before;
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
  static String reason(Throwable cause) {
    boolean isOurs = cause.getClass().getPackageName().startsWith("weft.");
    return isOurs ? cause.getMessage() : cause.toString();
  }

  static GenerateException wrap(String what, Throwable cause) {
    return cause instanceof GenerateException ours
        ? ours
        : new GenerateException(what + ": " + reason(cause), cause);
  }
}
