package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same text plain, speculating, batched, chunk by chunk, recomputed, and over state that cannot
 * rewind exactly.
 */
class TurnTest {
  private static final int VOCABULARY = 11;
  private static final List<Sampling> SAMPLINGS =
      List.of(
          Sampling.GREEDY,
          Sampling.seeded(42),
          Sampling.GREEDY
              .withSeed(7)
              .withTemperature(1.3)
              .withPenalties(new Penalties(1.2, 20, 0.1, 0.2, Map.of(3, -1.0))),
          Sampling.seeded(-1).withTopK(0).withTypical(0.9));

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void everyWayOfRunningGivesTheTextOfItsDefinition(int grain) {
    var random = new Random(grain);
    for (int trial = 0; trial < 150; trial++) {
      int budget = List.of(3, 16, 64, 512).get(random.nextInt(4));
      var model = new FakeModel(VOCABULARY, grain);
      var batch = Alone.batch(model, budget);
      var workspace = new Workspace(VOCABULARY);
      var turns = new ArrayList<Turn>();
      var expected = new ArrayList<int[]>();
      for (Sampling sampling : SAMPLINGS) {
        Request plain =
            Request.of(tokens(random, 1 + random.nextInt(150)))
                .withSampling(sampling)
                .withMaxTokens(1 + random.nextInt(30));
        int[] reply = byHand(plain);
        Drafter perfect = Drafters.knowing(concat(plain.prompt(), reply));
        var recompute =
            Engine.start(
                new Recompute(new FakeModel(VOCABULARY, grain)),
                Capacity.standard().withParallel(1).withBudget(budget));
        assertThat(recompute.generate(plain).tokens()).isEqualTo(reply);
        Request drafted = plain.withSpeculation(Speculation.of(perfect, 3));
        assertThat(recompute.generate(drafted).tokens()).isEqualTo(reply);
        for (Drafter drafter :
            List.of(
                Drafter.NONE,
                perfect,
                Drafters.sloppy(perfect, VOCABULARY, 3, random),
                new PromptLookup(1, 3))) {
          Request request = plain.withSpeculation(Speculation.of(drafter, random.nextInt(7)));
          expected.add(reply);
          turns.add(Alone.turn(model, request, workspace, () -> false));
          batch.add(turns.getLast());
          if (random.nextBoolean()) {
            batch.step(); // turns join at different steps
          }
        }
      }
      runAll(batch, turns);
      for (int i = 0; i < turns.size(); i++) {
        assertThat(turns.get(i).reply().tokens())
            .describedAs("grain %d, budget %d, turn %d", grain, budget, i)
            .isEqualTo(expected.get(i));
      }
      assertThat(model.largestStep).isLessThanOrEqualTo(budget);
    }
  }

  /** The text as its definition says: no session, no draft, no batch. */
  private static int[] byHand(Request request) {
    var model = new FakeModel(VOCABULARY, 1);
    var sampler = new Sampler(request.sampling(), VOCABULARY);
    int[] prompt = request.prompt();
    int[] text = prompt;
    while (text.length < prompt.length + request.stops().maxTokens()) {
      int token = sampler.next(Logits.of(model.after(text)), Tokens.of(text));
      text = concat(text, new int[] {token});
    }
    return Arrays.copyOfRange(text, prompt.length, text.length);
  }

  private static void runAll(Batch batch, List<Turn> turns) {
    for (int steps = 0; !turns.stream().allMatch(Turn::isDone); steps++) {
      assertThat(steps).describedAs("steps without an end").isLessThan(20_000);
      batch.step();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void aSequenceThatHoldsAPrefixGivesTheSameText(int grain) {
    var random = new Random(grain);
    var model = new FakeModel(VOCABULARY, grain);
    try (var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(32))) {
      int[] text = tokens(random, 5);
      for (int trial = 0; trial < 300; trial++) {
        int kept = random.nextInt(text.length + 1);
        int[] prompt = concat(Arrays.copyOf(text, kept), tokens(random, 1 + random.nextInt(9)));
        Request request =
            Request.of(prompt)
                .withSampling(SAMPLINGS.get(trial % SAMPLINGS.size()))
                .withMaxTokens(1 + random.nextInt(12))
                .withSpeculation(Speculation.of(new PromptLookup(1, 2), random.nextInt(4)));
        Reply reply = engine.generate(request);
        int[] fresh = Alone.reply(new FakeModel(VOCABULARY, 1), request).tokens();
        assertThat(reply.tokens()).isEqualTo(fresh);
        if (trial > 0 && grain == 1) {
          // The last token of a reply was never fed.
          int shared = Arrays.mismatch(text, 0, text.length - 1, prompt, 0, prompt.length - 1);
          int reusable = shared < 0 ? text.length - 1 : shared;
          assertThat(reply.usage().cachedTokens()).isGreaterThanOrEqualTo(reusable);
        }
        text = concat(prompt, reply.tokens());
      }
    }
    assertThat(model.open).isZero();
  }

  @Test
  void aLongPromptGoesInByChunksOfTheBudget() {
    var model = new FakeModel(VOCABULARY, 1);
    Request request = Request.of(tokens(new Random(1), 100)).withMaxTokens(3);
    Reply reply = Alone.reply(model, request, 30);
    assertThat(model.forwards).isEqualTo(4 + 2);
    assertThat(reply.usage().forwards()).isEqualTo(6);
    assertThat(reply.usage().prefillTokens()).isEqualTo(100);
    assertThat(reply.usage().decodeTokens()).isEqualTo(2);
  }

  @Test
  void aPerfectDraftCostsOneForwardForManyTokens() {
    var model = new FakeModel(VOCABULARY, 1);
    Request plain = Request.of(1, 2, 3).withMaxTokens(21);
    int[] reply = Alone.reply(model, plain).tokens();
    assertThat(model.forwards).isEqualTo(21);
    Drafter perfect = Drafters.knowing(concat(plain.prompt(), reply));
    var again = new FakeModel(VOCABULARY, 1);
    Usage usage = Alone.reply(again, plain.withSpeculation(Speculation.of(perfect, 6))).usage();
    assertThat(again.forwards).isEqualTo(3);
    assertThat(usage.draftedTokens()).isEqualTo(18);
    assertThat(usage.acceptedTokens()).isEqualTo(18);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void theContextEndsTheReply(int draftLength) {
    int[] prompt = tokens(new Random(3), 10);
    Speculation speculation = Speculation.of(new PromptLookup(1, 1), draftLength);
    for (int context = 10; context < 20; context++) {
      var model = new FakeModel(VOCABULARY, 1, context);
      Reply reply = Alone.reply(model, Request.of(prompt).withSpeculation(speculation));
      assertThat(reply.finish()).isEqualTo(Finish.LENGTH);
      // The context holds what is fed; the last token needs no room.
      assertThat(reply.tokens()).hasSize(context - 10 + 1);
    }
  }

  @Test
  void aDraftIsNeverLongerThanTheTokensLeft() {
    var asked = new ArrayList<Integer>();
    Drafter drafter =
        known ->
            max -> {
              asked.add(max);
              return new int[0];
            };
    Request request = Request.of(1).withMaxTokens(4).withSpeculation(Speculation.of(drafter, 10));
    Alone.reply(new FakeModel(VOCABULARY, 1), request);
    assertThat(asked).containsExactly(3, 2, 1);
  }

  static int[] tokens(Random random, int count) {
    return random.ints(count, 0, VOCABULARY).toArray();
  }

  static int[] concat(int[] a, int[] b) {
    int[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
