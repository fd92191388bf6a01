package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a drafter sees of the turns it drafts for, from their beginning to whatever end. */
class DrafterTest {
  private static final int VOCABULARY = 11;

  private final AtomicBoolean breaks = new AtomicBoolean();
  private final FakeModel model =
      new FakeModel(VOCABULARY, 1) {
        @Override
        void beforeForward(List<Step> batch) {
          if (breaks.get()) {
            throw new IllegalStateException("device lost");
          }
        }
      };
  private final Workspace workspace = new Workspace(VOCABULARY);
  private final AtomicBoolean cancelled = new AtomicBoolean();

  /** Knows the reply, and notes all that it is told. */
  private static final class Noting implements Drafter {
    private final Drafter guesses;
    private final List<Integer> asks = new ArrayList<>();
    private final List<Drafting.Pass> passes = new ArrayList<>();
    private int open;
    private int closed;

    Noting(Drafter guesses) {
      this.guesses = guesses;
    }

    @Override
    public Drafting open(Tokens known) {
      open++;
      Drafting drafting = guesses.open(known);
      return new Drafting() {
        @Override
        public int[] propose(int max) {
          return drafting.propose(max);
        }

        @Override
        public void learn(Pass pass) {
          assertThat(known.length()).isPositive();
          passes.add(pass);
        }

        @Override
        public void close() {
          open--;
          closed++;
        }
      };
    }

    @Override
    public List<int[]> propose(List<Ask> turns) {
      asks.add(turns.size());
      return Drafter.super.propose(turns);
    }
  }

  private Turn turn(Request request) {
    return Alone.turn(model, request, workspace, cancelled::get);
  }

  private static Request drafting(Drafter drafter, int... prompt) {
    return Request.of(prompt).withMaxTokens(20).withSpeculation(Speculation.of(drafter, 4));
  }

  @Test
  void itIsAskedOnceForAllTurnsOfAStep() {
    var noting = new Noting(known -> max -> new int[max]);
    var other = new Noting(Drafter.NONE);
    var batch = Alone.batch(model, 64);
    var turns =
        IntStream.range(0, 3)
            .mapToObj(i -> turn(drafting(noting, i).withMaxTokens(6 + i)))
            .toList();
    turns.forEach(batch::add);
    batch.add(turn(drafting(other, 9)));
    batch.step();
    assertThat(noting.asks).containsExactly(3);
    assertThat(other.asks).containsExactly(1);
    while (!turns.stream().allMatch(Turn::isDone)) {
      batch.step();
    }
    assertThat(noting.open).isZero();
    assertThat(noting.closed).isEqualTo(3);
    assertThat(other.open).as("its turn goes on").isEqualTo(1);
  }

  @Test
  void itLearnsWhatWasAcceptedAfterEveryPass() {
    Request plain = Request.of(1, 2, 3, 4, 5, 6, 7).withMaxTokens(9);
    int[] reply = Alone.reply(model, plain).tokens();
    int[] text = TurnTest.concat(plain.prompt(), reply);
    text[10] = (text[10] + 1) % VOCABULARY; // the fourth token of the reply is guessed wrong
    var noting = new Noting(Drafters.knowing(text));
    Request request = plain.withSpeculation(Speculation.of(noting, 3));
    assertThat(Alone.reply(model, request, 5).tokens()).isEqualTo(reply);
    // Five tokens of the prompt; two and the first three of the reply, and the one they lead to; a
    // token and the rest of the reply, whose first is no longer what the drafter knew.
    assertThat(noting.passes)
        .containsExactly(
            new Drafting.Pass(0, 5, 0, 0, List.of()),
            new Drafting.Pass(5, 5, 3, 3, List.of()),
            new Drafting.Pass(10, 4, 3, 3, List.of()));
  }

  /** Looks at the rows of tokens, and guesses wrong at times. */
  private static final class Looking implements Drafter {
    private final String point;
    private final List<Float> seen = new ArrayList<>();

    Looking(String point) {
      this.point = point;
    }

    @Override
    public Optional<String> point() {
      return Optional.of(point);
    }

    @Override
    public Drafting open(Tokens known) {
      return new Drafting() {
        @Override
        public int[] propose(int max) {
          return new int[known.length() % (max + 1)];
        }

        @Override
        public void learn(Pass pass) {
          assertThat(pass.hidden()).hasSize(pass.fed() - pass.drafted() + pass.accepted());
          pass.hidden().forEach(row -> seen.add(row[0]));
        }
      };
    }
  }

  @Test
  void itSeesTheRowsOfAllTokensThatStay() {
    for (Model any : List.of(model, new FakeModel(VOCABULARY, 4), new Recompute(model))) {
      var looking = new Looking("position");
      Request request =
          Request.of(1, 2, 3, 4, 5, 6, 7)
              .withMaxTokens(30)
              .withSpeculation(Speculation.of(looking, 3));
      Alone.reply(any, request, 5);
      // Where a session cannot stop at once, rows are shown again.
      var rows = looking.seen.stream().distinct().map(Float::intValue).toList();
      assertThat(rows)
          .startsWith(1, 2, 3)
          .isEqualTo(IntStream.rangeClosed(1, rows.size()).boxed().toList());
      assertThat(rows.size()).isBetween(32, 36);
    }
  }

  @Test
  void aPointThatTheModelHasNotIsRefused() {
    Request request = drafting(new Looking("nowhere"), 1);
    assertThatThrownBy(() -> Alone.reply(model, request))
        .isInstanceOf(GenerateException.class)
        .hasMessage("the drafter learns from point nowhere, but the model has [position]");
  }

  @Test
  void itGuessesOnlyWhatItsTurnHasRoomFor() {
    var noting = new Noting(known -> max -> new int[max]);
    var batch = Alone.batch(model, 8);
    batch.add(turn(drafting(noting, 1)));
    batch.add(turn(Request.of(new int[100])));
    batch.step();
    assertThat(noting.passes).singleElement().extracting(Drafting.Pass::drafted).isEqualTo(3);
  }

  @Test
  void whatADrafterLeavesIsAnotherTurns() {
    var shares = new ArrayList<List<Integer>>();
    var counting =
        new FakeModel(VOCABULARY, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            shares.add(batch.stream().map(step -> step.tokens().length).toList());
          }
        };
    var batch = Alone.batch(counting, 8);
    for (Request request : List.of(drafting(Drafter.NONE, 1), Request.of(new int[100]))) {
      batch.add(Alone.turn(counting, request, workspace, () -> false));
    }
    batch.step();
    assertThat(shares).containsExactly(List.of(1, 7));
  }

  @Test
  void itIsClosedWhenItsTurnIsCancelledOrFails() {
    var noting = new Noting(Drafter.NONE);
    var batch = Alone.batch(model, 64);
    batch.add(turn(drafting(noting, 1)));
    batch.step();
    cancelled.set(true);
    batch.step();
    assertThat(noting.open).isZero();
    cancelled.set(false);

    batch.add(turn(drafting(noting, 2)));
    breaks.set(true);
    batch.step();
    breaks.set(false);
    assertThat(noting.open).isZero();

    Turn deaf =
        turn(
            drafting(noting, 3)
                .withListener(
                    piece -> {
                      throw new IllegalStateException("cannot hear");
                    }));
    batch.add(deaf);
    batch.step();
    assertThatThrownBy(deaf::reply).hasMessageContaining("cannot hear");
    assertThat(noting.open).isZero();
    assertThat(noting.closed).isEqualTo(3);
  }

  @Test
  void itIsClosedWhenTheEngineCloses() {
    var noting = new Noting(Drafter.NONE);
    try (var engine = Engine.start(model, Capacity.standard().withParallel(2).withBudget(8))) {
      var ticket =
          engine.submit(Request.of(1).withSpeculation(Speculation.of(noting, 2)).withMaxTokens(1));
      assertThat(ticket.await().tokens()).hasSize(1);
      engine.submit(Request.of(1).withSpeculation(Speculation.of(noting, 2)));
    }
    assertThat(noting.open).isZero();
  }

  @Test
  void aReplyGoesOnWithoutOneThatFails() {
    Drafter broken =
        known ->
            max -> {
              throw new IllegalStateException("no idea");
            };
    Drafter silent =
        new Drafter() {
          @Override
          public Drafting open(Tokens known) {
            return Drafting.NONE;
          }

          @Override
          public List<int[]> propose(List<Ask> asks) {
            return List.of();
          }
        };
    Drafter unclosed =
        known ->
            new Drafting() {
              @Override
              public int[] propose(int max) {
                return new int[0];
              }

              @Override
              public void close() {
                throw new IllegalStateException("will not close");
              }
            };
    var batch = Alone.batch(model, 64);
    Turn first = turn(drafting(broken, 1));
    Turn second = turn(drafting(broken, 2));
    Turn third = turn(drafting(silent, 3));
    Turn fourth = turn(drafting(unclosed, 4).withMaxTokens(2));
    Turn fifth =
        turn(
            drafting(
                known -> {
                  throw new IllegalStateException("cannot begin");
                },
                6));
    Turn healthy = turn(Request.of(5).withMaxTokens(3));
    List.of(first, second, third, fourth, fifth, healthy).forEach(batch::add);
    while (!List.of(first, second, third, fourth, fifth, healthy).stream().allMatch(Turn::isDone)) {
      batch.step();
    }
    assertThat(first.reply().usage().draftingStopped().orElseThrow()).contains("no idea");
    assertThat(second.reply().tokens())
        .isEqualTo(Alone.reply(model, Request.of(2).withMaxTokens(20)).tokens());
    assertThat(third.reply().usage().draftingStopped().orElseThrow())
        .contains("0 proposals where 1");
    assertThat(fourth.reply().usage().draftingStopped())
        .hasValue(
            "the drafter could not be closed: java.lang.IllegalStateException: will not close");
    assertThat(fifth.reply().usage().draftingStopped().orElseThrow()).contains("cannot begin");
    assertThat(healthy.reply().usage().draftingStopped()).isEmpty();
  }
}
