package weft.generate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How long drafts are worth making: so that the tokens which are expected of a step, for the time
 * that it and its drafts should take, are most. Whatever is expected, drafts may lose no more time
 * than earlier ones have won, and a small part of all time beside: who drafts in vain is hardly
 * slower than who does not. Fed by counts and nanoseconds; belongs to one thread.
 */
final class DraftLengths {
  /** The part of each step's time that drafts may lose. */
  private static final double ALLOWED = 0.015;

  /** In steps without a draft: what they may lose before anything is known. */
  private static final double FIRST = 0.5;

  /** In steps without a draft: what can be saved up, or a long success would pay for a failure. */
  private static final double SAVED = 8;

  /**
   * In steps without a draft: the most that they can owe. What a cold JVM has cost is not held
   * against a warm one, and what a drafter takes is known before it is asked again.
   */
  private static final double OWED = 1;

  /**
   * What a step took whose drafts failed counts up to so many times what it takes at its least: the
   * rest is the machine's.
   */
  private static final double UNLUCKY = 1.5;

  /**
   * While drafts pay, one step in so many has a token more: what was dear once may be so no more.
   */
  private static final int STRETCHING = 32;

  /** It is twice as many each time that a token more did not pay, up to so many. */
  private static final int SELDOM = 128;

  /** One step in so many has no draft, or it would be forgotten what such a step takes. */
  private static final int PLAIN = 128;

  /** Drafters whose turns are remembered for their next ones. */
  private static final int DRAFTERS = 8;

  /** Of the second token of a draft and those behind it, less than this chance is none. */
  private static final double SLIGHT = 0.01;

  /** A turn that could do with a draft of at most so many tokens. */
  record Wish(Drafter drafter, Acceptance seen, int most) {}

  private final StepCost steps;

  /** Of a guess, whatever the length of its draft: the first pass of a head is like the others. */
  private final StepCost guess = new StepCost(StepCost.Typical.LEAST);

  private final Map<Drafter, Acceptance> others = new LinkedHashMap<>(DRAFTERS, 0.75f, true);

  private double credit;
  private boolean hasBegun;
  private int rows;
  private int plain;
  private int sincePlain;
  private long drafting;
  private int sinceStretch;
  private int stretching = STRETCHING;
  private int before;
  private final Trials trials = new Trials();

  DraftLengths(StepCost steps) {
    this.steps = steps;
  }

  /**
   * How many tokens each turn drafts in the next step.
   *
   * @param rows tokens that the step feeds beside drafts, of replies
   * @param writing turns that get a token by it
   * @param room tokens that drafts may have together
   */
  int[] choose(int rows, int writing, int room, List<Wish> wishes) {
    this.rows = rows;
    int[] lengths = new int[wishes.size()];
    double usual = steps.hopeful(rows);
    if (wishes.isEmpty() || usual <= 0 || plain < 2 || sincePlain >= PLAIN) return lengths;
    if (!hasBegun) {
      hasBegun = true;
      credit = FIRST * usual;
    }
    double[] next = new double[lengths.length];
    for (int i = 0; i < next.length; i++) next[i] = chance(wishes.get(i), 1);
    int[] best = lengths.clone();
    int[] longer = best;
    double most = writing / usual;
    double expected = writing;
    int longest = 0;
    int chosen = 0;
    for (int drafted = 1; drafted <= room; drafted++) {
      int likeliest = likeliest(next, lengths, wishes);
      if (likeliest < 0) break;
      Wish wish = wishes.get(likeliest);
      expected += next[likeliest];
      longest = Math.max(longest, ++lengths[likeliest]);
      next[likeliest] *= chance(wish, lengths[likeliest] + 1);
      double takes = steps.hopeful(rows + drafted) + draft(longest);
      boolean isAffordable = takes - usual <= credit;
      if (isAffordable && expected / takes > most) {
        most = expected / takes;
        best = lengths.clone();
        chosen = drafted;
      } else if (isAffordable && chosen > 0 && drafted == chosen + 1) {
        longer = lengths.clone();
      } else if (drafted == 1 && isTried(isAffordable, takes - usual, expected - writing)) {
        best = lengths.clone();
      }
    }
    if (chosen == 0) return best;
    trials.rest();
    return isTimeToStretch(chosen) && IntStream.of(longer).sum() > chosen ? longer : best;
  }

  private boolean isTried(boolean isAffordable, double loses, double chance) {
    return isAffordable ? trials.isDue() : trials.isLent(loses, chance);
  }

  private boolean isTimeToStretch(int chosen) {
    if (chosen > before) stretching = STRETCHING;
    before = chosen;
    if (++sinceStretch < stretching) return false;
    sinceStretch = 0;
    stretching = Math.min(2 * stretching, SELDOM);
    return true;
  }

  /** The turn whose next guess is likeliest to hold, or -1 where all have what they can use. */
  private static int likeliest(double[] next, int[] lengths, List<Wish> wishes) {
    int likeliest = -1;
    for (int i = 0; i < next.length; i++) {
      boolean isWorthIt = lengths[i] == 0 || next[i] >= SLIGHT;
      boolean isOpen = lengths[i] < wishes.get(i).most() && isWorthIt;
      if (isOpen && (likeliest < 0 || next[i] > next[likeliest])) likeliest = i;
    }
    return likeliest;
  }

  private double chance(Wish wish, int depth) {
    return wish.seen().at(depth, others(wish.drafter()));
  }

  private Acceptance others(Drafter drafter) {
    Acceptance seen = others.computeIfAbsent(drafter, _ -> Acceptance.ofDrafter());
    if (others.size() > DRAFTERS) others.remove(others.keySet().iterator().next());
    return seen;
  }

  /** Drafters were asked for at most so many tokens a turn, and took so long together. */
  void asked(int longest, long nanos) {
    guess.ran(1, nanos / longest);
    begun(longest);
    drafting = nanos;
  }

  /**
   * The same of drafters that were asked for the first time for one of the turns: they have read
   * its text for it, so how long it took says nothing of a guess.
   */
  void begun(int longest) {
    spend(longest * guess.of(1), steps.hopeful(rows));
  }

  /** What drafts of so many tokens take; of too few of them there is no telling. */
  private double draft(int longest) {
    return guess.isSure(1) ? longest * guess.of(1) : 0;
  }

  private void spend(double nanos, double usual) {
    credit = Math.clamp(credit - nanos, -OWED * usual, SAVED * usual);
  }

  /** A draft of so many tokens was fed, of which the first {@code held} came true. */
  void saw(Drafter drafter, Acceptance seen, int drafted, int held) {
    seen.saw(drafted, held);
    others(drafter).saw(drafted, held);
  }

  /**
   * A step is over.
   *
   * @param fed tokens that it fed, drafts included
   * @param drafted how many of them were drafts
   * @param held how many of those came true
   * @param writing turns that got a token by it
   * @param took nanoseconds
   */
  void ran(int fed, int drafted, int held, int writing, long took) {
    double usual = steps.hopeful(fed - drafted);
    double won = writing == 0 ? 0 : usual * held / writing;
    if (drafted > 0) {
      sincePlain++;
      trials.drafted(held);
    } else {
      trials.plain(usual);
      if (fed <= rows) sincePlain = 0;
      if (fed <= rows) plain++;
    }
    trials.settle(held, drafting + (drafted == 0 ? 0 : took - usual - won));
    drafting = 0;
    // What a size takes at its least may be of a better minute, so drafts of which nothing held go
    // by the clock. Of others both sides are at their least: a slow minute is no fault of theirs.
    // The first of a size may have compiled its program, which is not held against the others.
    boolean isSure = steps.isSure(fed);
    double least = isSure ? steps.of(fed) : Math.min(took, steps.hopeful(fed));
    double takes = isSure && held == 0 ? Math.min(took, UNLUCKY * least) : least;
    double lost = drafted == 0 ? 0 : takes - usual;
    spend(lost - won - ALLOWED * usual, usual);
  }
}
