package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies that are written while a long prompt is read, on machines whose clock is theirs. */
class PaceTest {
  private static final int PROMPT = 4000;

  /** What a step of so many tokens takes, in milliseconds. */
  record Machine(String name, IntToDoubleFunction cost, double noise) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Machine> machines() {
    return List.of(
        new Machine("weights first, then rows", n -> 50 + 5 * n, 0),
        new Machine("rows alone", n -> 8 * n, 0),
        new Machine("a jump behind sixteen rows", n -> n <= 16 ? 50 + 2 * n : 150 + 3 * n, 0),
        new Machine("cheaper behind sixteen rows", n -> n <= 16 ? 20 + 20 * n : 100 + 6 * n, 0),
        new Machine("rows for nothing up to sixteen", n -> n <= 16 ? 50 : 40 + 6 * n, 0),
        new Machine("a noisy one", n -> 50 + 5 * n, 0.1));
  }

  /** A model whose passes take their time by a clock of their own. */
  private static final class Timed extends FakeModel {
    private final Machine machine;
    private final Random random = new Random(7);
    private long now;
    private final List<Integer> steps = new ArrayList<>();

    Timed(Machine machine) {
      super(11, 1);
      this.machine = machine;
    }

    @Override
    void beforeForward(List<Step> batch) {
      int tokens = batch.stream().mapToInt(step -> step.tokens().length).sum();
      steps.add(tokens);
      double noise = 1 + machine.noise * random.nextDouble();
      // At times somebody else has the machine.
      if (machine.noise > 0 && random.nextInt(50) == 0) noise *= 5;
      now += (long) (1e6 * noise * machine.cost.applyAsDouble(tokens));
    }
  }

  private static final class Run {
    private final Timed model;
    private final Batch batch;
    private final Workspace workspace = new Workspace(11);

    Run(Machine machine) {
      model = new Timed(machine);
      batch = new Batch(model, 512, () -> false, () -> model.now);
    }

    void rehearse(Duration most) {
      var rehearsal = new Rehearsal(most);
      while (!batch.rehearse(rehearsal)) {
        assertThat(model.steps.size()).as("it ends").isLessThan(100);
      }
      rehearsal.await();
    }

    Turn add(Request request) {
      Turn turn = Alone.turn(model, request, workspace, () -> false);
      batch.add(turn);
      return turn;
    }

    /** The times between steps until a turn has its first token. */
    List<Long> gapsUntil(Turn turn) {
      var gaps = new ArrayList<Long>();
      while (turn.generated() == 0) {
        long before = model.now;
        batch.step();
        gaps.add(model.now - before);
        assertThat(gaps.size()).as("a prompt is read one day").isLessThan(20_000);
      }
      return gaps;
    }
  }

  private static double median(List<Long> gaps) {
    long[] sorted = gaps.stream().mapToLong(gap -> gap).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aLongPromptDoesNotStallThoseWhoWrite(Machine machine) {
    // A size that was never met must be tried.
    requireNoStall(machine, Duration.ZERO, 3);
  }

  @ParameterizedTest
  @MethodSource("machines")
  void afterARehearsalNoSizeIsTriedInVain(Machine machine) {
    requireNoStall(machine, Duration.ofMinutes(1), 0);
  }

  private static void requireNoStall(Machine machine, Duration rehearsal, int mistakes) {
    for (int writers : new int[] {1, 4, 8}) {
      var run = new Run(machine);
      if (rehearsal.isPositive()) run.rehearse(rehearsal);
      // The machine has been used before: its prompts were read whole while nobody wrote.
      for (int length : new int[] {700, 40, 300}) run.gapsUntil(run.add(prompt(length)));
      run.batch.step();
      var others = new ArrayList<Turn>();
      for (int i = 0; i < writers - 3; i++) others.add(run.add(prompt(5)));
      others.forEach(run::gapsUntil);
      int written = Math.max(3, writers);
      var quiet = new ArrayList<Long>();
      for (int i = 0; i < 40; i++) {
        long before = run.model.now;
        run.batch.step();
        quiet.add(run.model.now - before);
      }
      var gaps = run.gapsUntil(run.add(prompt(PROMPT)));
      gaps.removeLast();
      double usual = median(quiet);
      assertThat(median(gaps) / usual).as("%d write", written).isLessThanOrEqualTo(1.5);
      long over = gaps.stream().filter(gap -> gap > 3 * usual).count();
      // A machine that others use is beyond help.
      int tolerated = machine.noise > 0 ? gaps.size() / 20 : mistakes;
      assertThat(over).as("steps over the limit").isLessThanOrEqualTo(tolerated);
      double total = gaps.stream().mapToLong(gap -> gap).sum();
      double given = (total - usual * gaps.size()) / total;
      assertThat(given > 0.2 || PROMPT / gaps.size() >= 6)
          .as("the prompt gets %.2f of the time, %d tokens a step", given, PROMPT / gaps.size())
          .isTrue();
    }
  }

  @Test
  void aMachineThatOthersUseForAWhileIsNotGivenLargerSteps() {
    var share = new double[] {1};
    var run = new Run(new Machine("shared", n -> share[0] * (50 + 5 * n), 0));
    run.rehearse(Duration.ofMinutes(1));
    run.gapsUntil(run.add(prompt(5)));
    for (int i = 0; i < 40; i++) run.batch.step();
    var reader = run.add(prompt(PROMPT));
    while (reader.fed() < 1000) run.batch.step();
    share[0] = 2;
    int before = run.model.steps.size();
    for (int i = 0; i < 200; i++) run.batch.step();
    var rows = run.model.steps.subList(before, run.model.steps.size());
    // 55 ms were usual: three times that are 165, which six rows take now.
    long larger = rows.stream().filter(n -> n > 6).count();
    assertThat(larger).as("now and then, to know what they take").isLessThan(15);
    share[0] = 1;
    for (int i = 0; i < 200; i++) run.batch.step();
    var after = run.model.steps.subList(run.model.steps.size() - 100, run.model.steps.size());
    assertThat(after.stream().filter(n -> n > 6).count()).as("as before").isGreaterThan(20);
  }

  private static Request prompt(int length) {
    return Request.of(new int[length]);
  }

  @Test
  void whenNobodyWritesAPromptHasTheWholeStep() {
    var run = new Run(machines().getFirst());
    run.gapsUntil(run.add(prompt(1500)));
    assertThat(run.model.steps).containsExactly(512, 512, 476);
  }

  @Test
  void whereSeveralWaitStepsGrowInThatMeasure() {
    for (int waiting : new int[] {1, 2, 4}) {
      var run = new Run(machines().getFirst());
      run.rehearse(Duration.ofMinutes(1));
      for (int i = 0; i < 4; i++) run.gapsUntil(run.add(prompt(5)));
      for (int i = 0; i < 40; i++) run.batch.step();
      for (int i = 0; i < waiting; i++) run.add(prompt(64));
      run.batch.step();
      // 70 ms without a prompt, and 49 more for each who waits: 9.8 tokens.
      int read = run.model.steps.getLast() - 4;
      assertThat(read).isBetween(10 * waiting - 2, 10 * waiting + 2);
    }
  }

  @Test
  void aSizeThatHasNotRunForLongTakesAsManyTimesMoreAsTheOneBelowIt() {
    var cost = new StepCost(StepCost.Typical.MEDIAN);
    for (int size = 1; size <= 8; size++) {
      for (int i = 0; i < 8; i++) cost.ran(size, 10 + size);
    }
    assertThat(cost.of(8)).as("rehearsed").isEqualTo(18);
    for (int i = 0; i < 100; i++) {
      cost.ran(1, 22);
      cost.ran(2, 36);
    }
    assertThat(cost.of(2)).isEqualTo(36);
    assertThat(cost.of(8)).as("behind longer texts").isCloseTo(3 * 18, within(0.01));
    for (int i = 0; i < 8; i++) cost.ran(8, 40);
    assertThat(cost.of(8)).as("seen again").isEqualTo(40);
  }

  @Test
  void whereManyWaitForEachWhoWritesShortPromptsAreReadAtOnce() {
    assertThat(readBesideOne(7, 64)).isEqualTo(7 * 64);
    assertThat(readBesideOne(1, 64)).as("one waits for one").isLessThan(20);
    assertThat(readBesideOne(7, PROMPT)).as("long prompts take their time").isLessThan(100);
  }

  /** How many tokens of prompts a step reads that one reply is written by. */
  private static int readBesideOne(int waiting, int length) {
    var run = new Run(machines().getFirst());
    run.rehearse(Duration.ofMinutes(1));
    run.gapsUntil(run.add(prompt(5)));
    for (int i = 0; i < waiting; i++) run.add(prompt(length));
    run.batch.step();
    return run.model.steps.getLast() - 1;
  }

  @Test
  void whoHasReadALotOfAPromptNoLongerCountsAsOneWhoWaits() {
    var run = new Run(machines().getFirst());
    run.rehearse(Duration.ofMinutes(1));
    for (int i = 0; i < 4; i++) run.gapsUntil(run.add(prompt(5)));
    var long1 = run.add(prompt(PROMPT));
    while (long1.fed() < 256) run.batch.step();
    run.add(prompt(PROMPT));
    int before = run.model.steps.size();
    for (int i = 0; i < 20; i++) run.batch.step();
    var rows = run.model.steps.subList(before, run.model.steps.size());
    // 4.2 tokens are 1.3 times a step without a prompt. Some of the twenty read nothing.
    assertThat(rows.stream().filter(n -> n > 8).count()).as("two in five").isBetween(7L, 8L);
    assertThat(rows).allMatch(n -> n <= 4 + 12);
  }

  @Test
  void aRehearsalTakesNoLongerThanItMay() {
    var run = new Run(machines().getFirst());
    run.rehearse(Duration.ofSeconds(1));
    assertThat(run.model.now).isBetween((long) 3e8, (long) 1e9);
    assertThat(run.model.steps).startsWith(1, 1, 1, 2, 2, 2).doesNotContain(64);
  }

  @Test
  void aDearMachineStillReads() {
    var run = new Run(new Machine("each row as dear as ten", n -> n * n, 0));
    run.gapsUntil(run.add(prompt(5)));
    run.gapsUntil(run.add(prompt(60)));
  }

  @Test
  void costsAreLearnedBySizeAndForgottenWhenStale() {
    var cost = new StepCost(StepCost.Typical.MEDIAN);
    assertThat(cost.isKnown()).isFalse();
    cost.ran(4, 900);
    assertThat(cost.isKnown()).as("the first of a size may have compiled").isFalse();
    for (int i = 0; i < 9; i++) {
      cost.ran(4, i == 5 ? 5000 : 100);
      cost.ran(12, 180);
    }
    assertThat(cost.of(4)).isEqualTo(100);
    assertThat(cost.of(2)).isEqualTo(100);
    assertThat(cost.of(8)).isEqualTo(140);
    assertThat(cost.of(24)).isEqualTo(360);
    for (int i = 0; i < 4200; i++) cost.ran(4, 100);
    assertThat(cost.of(12)).isEqualTo(300);
  }

  @Test
  void aSizeThatDidNotRunForLongGrowsWithItsNeighbour() {
    var cost = new StepCost(StepCost.Typical.MEDIAN);
    for (int size : new int[] {16, 17, 24, 32}) {
      for (int i = 0; i < 3; i++) cost.ran(size, size <= 16 ? 100 : 10L * size);
    }
    assertThat(cost.of(24)).isEqualTo(240);
    for (int i = 0; i < 9; i++) cost.ran(32, 480);
    assertThat(cost.of(24)).as("as dear a token as those of 32").isEqualTo(360);
    assertThat(cost.of(16)).as("other kernels").isEqualTo(100);
    for (int i = 0; i < 9; i++) cost.ran(24, 300);
    assertThat(cost.of(24)).as("what it took itself, lately").isEqualTo(300);
    for (int i = 0; i < 9; i++) cost.ran(24, 600);
    assertThat(cost.of(32)).as("some more than 24").isBetween(699.0, 701.0);
  }

  @Test
  void behindAJumpASizeIsNotTakenForWhatLiesBeforeIt() {
    var cost = new StepCost(StepCost.Typical.MEDIAN);
    for (int i = 0; i < 3; i++) {
      cost.ran(16, 100);
      cost.ran(20, 300);
    }
    assertThat(cost.of(17)).isEqualTo(255);
    assertThat(cost.above(17)).isEqualTo(300);
    assertThat(cost.isBehindRound(17)).isTrue();
    assertThat(cost.isBehindRound(24)).isFalse();
    assertThat(cost.isNext(24)).isTrue();
    assertThat(cost.isNext(28)).isFalse();
  }

  @Test
  void largeStepsThatHardlyDifferAreOneSize() {
    var cost = new StepCost(StepCost.Typical.MEDIAN);
    Arrays.stream(new int[] {100, 101, 102, 103}).forEach(n -> cost.ran(n, 10L * n));
    assertThat(cost.of(102)).isBetween(1010.0, 1030.0);
  }
}
