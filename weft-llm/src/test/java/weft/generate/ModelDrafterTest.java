package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Guesses of models: the text is the same whatever they are, and so is all that they give back. */
class ModelDrafterTest {
  private static final int VOCABULARY = 31;
  private static final DraftOptions ANY = DraftOptions.standard().withLeastChance(0);

  private final FakeModel trunk = new FakeModel(VOCABULARY, 1);
  private final Request plain = Request.of(1, 2, 3, 4, 5).withMaxTokens(40);

  private static Request drafted(Request request, Drafter drafter) {
    return request.withSpeculation(Speculation.of(drafter, 4));
  }

  @Test
  void aModelThatThinksTheSameIsAlwaysRight() {
    int[] expected = Alone.reply(trunk, plain).tokens();
    for (int grain : new int[] {1, 8}) {
      var draft = new FakeModel(VOCABULARY, grain);
      Reply reply = Alone.reply(trunk, drafted(plain, ModelDrafter.ofModel(draft, ANY)));
      assertThat(reply.tokens()).isEqualTo(expected);
      // The prompt, and then five tokens a pass.
      assertThat(reply.usage().forwards()).isEqualTo(9);
      assertThat(reply.usage().acceptedTokens()).isEqualTo(reply.usage().draftedTokens());
      assertThat(reply.usage().draftingStopped()).isEmpty();
      assertThat(draft.open).as("sessions left").isZero();
    }
  }

  @Test
  void aModelThatThinksOtherwiseChangesNothing() {
    int[] expected = Alone.reply(trunk, plain).tokens();
    var draft =
        new FakeModel(VOCABULARY, 8) {
          @Override
          float[] row(long hash, int length) {
            return super.row(length % 3 == 0 ? hash + 1 : hash, length);
          }
        };
    Reply reply = Alone.reply(trunk, drafted(plain, ModelDrafter.ofModel(draft, ANY)), 5);
    assertThat(reply.tokens()).isEqualTo(expected);
    assertThat(reply.usage().acceptedTokens())
        .isPositive()
        .isLessThan(reply.usage().draftedTokens());
    assertThat(draft.open).isZero();
  }

  @Test
  void onePassServesAllTurns() {
    var draft = new FakeModel(VOCABULARY, 1);
    var drafter = ModelDrafter.ofModel(draft, ANY);
    var workspace = new Workspace(VOCABULARY);
    var turns =
        IntStream.range(0, 3)
            .mapToObj(i -> drafted(Request.of(i, 7).withMaxTokens(20 + i), drafter))
            .map(request -> Alone.turn(trunk, request, workspace, () -> false))
            .toList();
    var batch = Alone.batch(trunk, 64);
    turns.forEach(batch::add);
    batch.step();
    assertThat(draft.forwards).isEqualTo(4);
    assertThat(draft.largestStep).isEqualTo(6);
    while (!turns.stream().allMatch(Turn::isDone)) batch.step();
    for (int i = 0; i < 3; i++) {
      assertThat(turns.get(i).reply().tokens())
          .isEqualTo(Alone.reply(trunk, Request.of(i, 7).withMaxTokens(20 + i)).tokens());
    }
    assertThat(draft.open).isZero();
  }

  @Test
  void aLongPromptIsReadAsItComes() {
    var draft = new FakeModel(VOCABULARY, 1);
    Request request = Request.of(new int[1000]).withMaxTokens(10);
    Reply reply = Alone.reply(trunk, drafted(request, ModelDrafter.ofModel(draft, ANY)), 128);
    assertThat(reply.tokens()).isEqualTo(Alone.reply(trunk, request).tokens());
    assertThat(draft.largestStep).isLessThanOrEqualTo(128);
  }

  @Test
  void whatIsUnlikelyIsNotGuessed() {
    var draft = new FakeModel(VOCABULARY, 1);
    var sure = ModelDrafter.ofModel(draft, DraftOptions.standard().withLeastChance(1));
    Reply reply = Alone.reply(trunk, drafted(plain, sure));
    assertThat(reply.usage().draftedTokens()).isZero();
    var certain =
        new FakeModel(VOCABULARY, 1) {
          @Override
          float[] row(long hash, int length) {
            float[] row = super.row(hash, length);
            row[Logits.of(row).likeliest()] += 50;
            return row;
          }
        };
    reply =
        Alone.reply(trunk, drafted(plain, ModelDrafter.ofModel(certain, ANY.withLeastChance(.99))));
    assertThat(reply.usage().acceptedTokens()).isPositive();
    assertThatThrownBy(() -> ANY.withLeastChance(Double.NaN))
        .hasMessage("a guess has a least chance from 0 to 1, got NaN; 0 stops at none");
  }

  @Test
  void aReplyGoesOnWithoutAModelThatFailsOrHasNoMemory() {
    int[] expected = Alone.reply(trunk, plain).tokens();
    var broken =
        new FakeModel(VOCABULARY, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            if (forwards > 5) throw new IllegalStateException("device lost");
          }
        };
    var small = new FakeModel(VOCABULARY, 1);
    small.budget = 20;
    var narrow = new FakeModel(VOCABULARY, 1, 20);
    var poor = new FakeModel(4, 1);
    for (var draft : List.of(broken, small, narrow, poor)) {
      Reply reply = Alone.reply(trunk, drafted(plain, ModelDrafter.ofModel(draft, ANY)));
      assertThat(reply.tokens()).isEqualTo(expected);
      assertThat(reply.usage().draftingStopped()).isPresent();
      assertThat(draft.open).isZero();
    }
  }

  /**
   * Foretells by the rows it is given, which it keeps; has as many to give as it was fed tokens.
   */
  private static final class Head extends FakeModel {
    private final List<Integer> rows = new ArrayList<>();

    Head() {
      super(VOCABULARY, 1);
    }

    @Override
    void beforeForward(List<Step> batch) {
      for (Step step : batch) {
        assertThat(step.beside()).hasSize(step.tokens().length);
        step.beside().forEach(row -> rows.add((int) row[0]));
      }
    }
  }

  @Test
  void aHeadReadsTheRowBeforeEachTokenAndItsOwnBehindGuesses() {
    var head = new Head();
    var drafter = ModelDrafter.ofHead(head, "position", ANY);
    Reply reply = Alone.reply(trunk, drafted(plain.withMaxTokens(4), drafter));
    assertThat(reply.tokens()).isEqualTo(Alone.reply(trunk, plain.withMaxTokens(4)).tokens());
    // Four pairs of the prompt and that of the first token; guesses by the head's rows, which has
    // seen five; then the next token's, as many guesses as the reply has room for, and so on.
    assertThat(head.rows).startsWith(1, 2, 3, 4, 5, 5, 6);
    assertThat(head.open).isZero();
    assertThatThrownBy(() -> ModelDrafter.ofHead(head, "final", ANY))
        .hasMessage("a head guesses on from its rows at point final, but it has [position]");
  }

  @Test
  void aHeadThatCameLateSeesWhatIsLeft() {
    var head = new Head();
    var drafter = ModelDrafter.ofHead(head, "position", ANY);
    try (var engine = Engine.start(trunk, Capacity.standard().withParallel(1))) {
      int[] first = engine.generate(plain).tokens();
      var longer = Request.of(TurnTest.concat(plain.prompt(), first)).withMaxTokens(6);
      int[] expected = Alone.reply(trunk, longer).tokens();
      assertThat(engine.generate(drafted(longer, drafter)).tokens()).isEqualTo(expected);
      assertThat(head.rows.getFirst()).as("behind what the cache held").isGreaterThan(40);
    }
  }
}
