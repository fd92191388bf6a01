package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.DraftLengths.Wish;

/** Lengths of drafts on machines whose clock is theirs, of drafters whose luck is known. */
class DraftLengthsTest {
  private static final int MOST = 8;

  /** As measured on two threads, before passes of few rows were made quicker. */
  private static final IntToDoubleFunction DEAR = n -> n == 1 ? 1 : 1.2 + 0.14 * n;

  /** As wanted of them. */
  private static final IntToDoubleFunction QUICK = n -> 0.94 + 0.06 * n;

  /**
   * Turns that draft, without a model: passes take what the machine says, guesses hold by chance.
   */
  private static final class Play {
    private final StepCost cost = new StepCost(StepCost.Typical.LEAST);
    private final DraftLengths lengths = new DraftLengths(cost);
    private final Drafter drafter = Drafters.knowing(new int[0]);
    private final Random random = new Random(3);
    private final IntToDoubleFunction machine;
    private final double draftToken;
    private List<Acceptance> turns = new ArrayList<>();
    private double now;
    private int passes;
    private int tokens;
    private int drafted;
    private int asks;

    /** How many times longer steps take after so many of them, and guesses after so many asks. */
    private IntToDoubleFunction cold = ran -> 1;

    private IntToDoubleFunction coldDrafter = asked -> 1;

    /** What the drafter proposes where it is asked for so many. */
    private IntUnaryOperator proposal = asked -> asked;

    Play(IntToDoubleFunction machine, double draftToken, int turns) {
      this.machine = machine;
      this.draftToken = draftToken;
      newTurns(turns);
    }

    void newTurns(int count) {
      turns = new ArrayList<>();
      for (int i = 0; i < count; i++) turns.add(Acceptance.ofTurn());
    }

    /** Goes on until so many more tokens are there, guesses holding with this chance. */
    Play play(int more, double chance) {
      int until = tokens + more;
      while (tokens < until) pass(chance);
      return this;
    }

    private void pass(double chance) {
      int rows = turns.size();
      var wishes = turns.stream().map(seen -> new Wish(drafter, seen, MOST)).toList();
      int[] asked = lengths.choose(rows, rows, 256, wishes);
      int longest = 0;
      int fed = rows;
      int total = 0;
      int[] drafts = new int[rows];
      for (int i = 0; i < rows; i++) {
        longest = Math.max(longest, asked[i]);
        drafts[i] = proposal.applyAsInt(asked[i]);
        fed += drafts[i];
      }
      if (longest > 0) {
        double drafting = longest * draftToken * coldDrafter.applyAsDouble(asks++);
        now += drafting;
        lengths.asked(longest, (long) (1e6 * drafting));
      }
      double took = machine.applyAsDouble(fed) * cold.applyAsDouble(passes);
      now += took;
      cost.ran(fed, (long) (1e6 * took));
      for (int i = 0; i < rows; i++) {
        int held = 0;
        while (held < drafts[i] && random.nextDouble() < chance) held++;
        if (drafts[i] > 0) lengths.saw(drafter, turns.get(i), drafts[i], held);
        total += held;
      }
      lengths.ran(fed, fed - rows, total, rows, (long) (1e6 * took));
      passes++;
      tokens += rows + total;
      drafted += fed - rows;
    }

    /** Its speed, where that of plain decoding is 1. */
    double speed() {
      return tokens * machine.applyAsDouble(turns.size()) / turns.size() / now;
    }
  }

  /** The speed with drafts of one length, for ever. */
  private static double fixed(
      IntToDoubleFunction machine, double draftToken, double chance, int length) {
    double expected = 1;
    double reached = 1;
    for (int i = 0; i < length; i++) {
      reached *= chance;
      expected += reached;
    }
    return expected
        * machine.applyAsDouble(1)
        / (machine.applyAsDouble(1 + length) + length * draftToken);
  }

  private static double best(IntToDoubleFunction machine, double draftToken, double chance) {
    double best = 1;
    for (int length = 1; length <= MOST; length++) {
      best = Math.max(best, fixed(machine, draftToken, chance, length));
    }
    return best;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.5, 0.7, 0.9, 1})
  void theLengthIsAboutTheBestThereIs(double chance) {
    for (double draftToken : new double[] {0, 0.05, 0.2}) {
      for (var machine : List.of(DEAR, QUICK)) {
        var play = new Play(machine, draftToken, 1).play(4000, chance);
        assertThat(play.speed())
            .as("drafts at %s a token", draftToken)
            .isGreaterThan(0.92 * best(machine, draftToken, chance))
            .isGreaterThan(0.97);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {150, 5000})
  void draftsThatKeepFailingCostLittle(int tokens) {
    for (double draftToken : new double[] {0, 0.05, 0.5}) {
      for (var machine : List.of(DEAR, QUICK)) {
        var play = new Play(machine, draftToken, 1).play(tokens, 0);
        assertThat(play.speed()).as("drafts at %s a token", draftToken).isGreaterThan(0.97);
        assertThat(play.drafted).as("it is tried now and then").isPositive();
      }
    }
  }

  @Test
  void draftsThatKeepFailingCostLittleOnAMachineThatChanges() {
    // Minutes that are slower by a half: what a rare size takes at its least is of a better one.
    var noise = new Random(4);
    var slow = new Random(5);
    double[] pace = {1};
    IntToDoubleFunction changing =
        ran -> {
          if (slow.nextInt(40) == 0) pace[0] = 1 + 0.5 * slow.nextDouble();
          return pace[0] * (1 + 0.1 * noise.nextDouble());
        };
    var play = new Play(QUICK, 0.05, 1);
    play.cold = changing;
    assertThat(play.play(6000, 0).drafted).isLessThan(play.passes / 8);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.7, 0.9, 1})
  void aColdBeginningIsNotHeldAgainstDrafts(double chance) {
    var noise = new Random(9);
    for (double draftToken : new double[] {0.05, 0.1}) {
      for (var machine : List.of(DEAR, QUICK)) {
        var play = new Play(machine, draftToken, 1);
        play.cold = ran -> (1 + 3 * Math.exp(-ran / 100.0)) * (noise.nextInt(5) == 0 ? 1.4 : 1);
        play.coldDrafter = asked -> 1 + 40 * Math.exp(-asked / 3.0) + 8 * Math.exp(-asked / 40.0);
        play.play(3000, chance);
        double then = play.now;
        int before = play.tokens;
        play.cold = ran -> 1;
        play.play(3000, chance);
        double speed = (play.tokens - before) * machine.applyAsDouble(1) / (play.now - then);
        assertThat(speed)
            .as("drafts at %s a token", draftToken)
            .isGreaterThan(0.92 * best(machine, draftToken, chance));
      }
    }
  }

  @Test
  void draftsOfASmallModelAreTriedUntilTheyAreCompiled() {
    // Passes of a millisecond, beside which a drafter that was never compiled takes several.
    IntToDoubleFunction small = n -> n == 1 ? 1 : 0.25 + 0.3 * n;
    var play = new Play(small, 0.24, 1);
    play.coldDrafter = asked -> 1 + 10 * Math.exp(-asked / 100.0);
    play.play(2000, 0.97);
    double then = play.now;
    int before = play.tokens;
    play.play(2000, 0.97);
    assertThat((play.tokens - before) / (play.now - then))
        .isGreaterThan(0.92 * best(small, 0.24, 0.97));
  }

  @Test
  void aDrafterThatIsNeverSureCostsLittleToo() {
    var play = new Play(QUICK, 0.1, 1);
    play.proposal = asked -> 0;
    assertThat(play.play(2000, 1).speed()).isGreaterThan(0.97);
  }

  @Test
  void whatIsNotProposedIsNotPaidFor() {
    var play = new Play(DEAR, 0, 1);
    var coin = new Random(5);
    play.proposal = asked -> coin.nextInt(10) == 0 ? asked : 0;
    // One pass in ten has a draft, all of which holds.
    play.play(3000, 1);
    assertThat(play.tokens).isGreaterThan(play.passes * 3 / 2);
  }

  @Test
  void draftsComeBackWhenTheTextIsPredictableAgain() {
    var play = new Play(DEAR, 0.02, 1).play(1000, 0);
    int before = play.passes;
    play.play(400, 1);
    assertThat(play.passes - before).as("passes for 400 tokens").isLessThan(150);
    double then = play.now;
    play.play(400, 0);
    assertThat(play.now - then).as("passes that fit into the time").isLessThan(400 * 1.03 + 8);
  }

  @Test
  void manyTurnsDraftOnlyWhereRowsAreCheap() {
    // Behind a few rows each costs what it takes to multiply.
    IntToDoubleFunction machine = n -> Math.max(1, 0.25 * n);
    assertThat(new Play(machine, 0, 1).play(2000, 0.6).speed()).isGreaterThan(1.5);
    var crowd = new Play(machine, 0, 16).play(20_000, 0.6);
    assertThat(crowd.speed()).isGreaterThan(0.97);
    assertThat(crowd.drafted).isLessThan(crowd.tokens / 20);
  }

  @Test
  void theLikeliestGuessesOfACrowdGoFirst() {
    var cost = new StepCost(StepCost.Typical.LEAST);
    for (int n = 1; n <= 16; n++) {
      for (int i = 0; i < 6; i++) cost.ran(n, n <= 8 ? 1000 : 1000L * n);
    }
    var lengths = new DraftLengths(cost);
    var good = Acceptance.ofTurn();
    var bad = Acceptance.ofTurn();
    for (int i = 0; i < 20; i++) {
      good.saw(5, 5);
      bad.saw(5, 0);
    }
    var drafter = Drafters.knowing(new int[0]);
    var wishes = List.of(new Wish(drafter, bad, 8), new Wish(drafter, good, 8));
    for (int i = 0; i < 2; i++) {
      assertThat(lengths.choose(2, 2, 64, wishes)).as("plain steps first").containsOnly(0);
      lengths.ran(2, 0, 0, 2, 1000);
    }
    int[] chosen = lengths.choose(2, 2, 64, wishes);
    assertThat(chosen[0] + chosen[1]).as("what costs nothing").isEqualTo(6);
    assertThat(chosen[1]).isGreaterThanOrEqualTo(5);
  }

  @Test
  void aTurnBeginsWithWhatTheLastOnesHaveShown() {
    var play = new Play(DEAR, 0.05, 1).play(500, 0);
    play.newTurns(1);
    int before = play.drafted;
    play.play(60, 0);
    assertThat(play.drafted - before).isLessThan(8);
  }

  @Test
  void depthsAreToldApart() {
    var seen = Acceptance.ofTurn();
    for (int i = 0; i < 50; i++) seen.saw(3, 1);
    assertThat(seen.at(1)).isGreaterThan(0.9);
    assertThat(seen.at(2)).isLessThan(0.2);
    assertThat(seen.at(3)).as("never reached: as the one before it").isEqualTo(seen.at(2));
  }

  /** A model whose passes take their time by a clock of their own, and drafts none. */
  private static final class Timed extends FakeModel {
    private long now;

    Timed() {
      super(50, 1);
    }

    @Override
    void beforeForward(List<Step> batch) {
      int rows = batch.stream().mapToInt(step -> step.tokens().length).sum();
      now += (long) (1e6 * QUICK.applyAsDouble(rows));
    }

    Reply reply(Request request) {
      try (var engine = Engine.start(this, Capacity.standard(), () -> now)) {
        return engine.generate(request);
      }
    }
  }

  @Test
  void anEngineDraftsAsLongAsItPaysAndItsTextIsTheSame() {
    var plain = new Timed();
    Request request = Request.of(1, 2, 3).withMaxTokens(300);
    Reply expected = plain.reply(request);
    var text = IntStream.concat(IntStream.of(1, 2, 3), Arrays.stream(expected.tokens()));
    int[] coming = text.toArray();
    var knowing = new Timed();
    Speculation all = Speculation.adaptive(Drafters.knowing(coming), MOST);
    assertThat(knowing.reply(request.withSpeculation(all)).tokens()).isEqualTo(expected.tokens());
    assertThat(plain.now).isGreaterThan(3 * knowing.now);
    var failing = new Timed();
    int[] wrong = Arrays.stream(coming).map(token -> (token + 1) % 50).toArray();
    Speculation none = Speculation.adaptive(Drafters.knowing(wrong), MOST);
    Reply reply = failing.reply(request.withSpeculation(none));
    assertThat(reply.tokens()).isEqualTo(expected.tokens());
    assertThat(reply.usage().draftedTokens()).isPositive();
    assertThat(failing.now).isLessThan(plain.now * 103 / 100);
  }
}
