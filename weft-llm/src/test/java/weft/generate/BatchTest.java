package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BatchTest {
  private final List<List<Integer>> shares = new ArrayList<>();
  private final AtomicBoolean breaks = new AtomicBoolean();
  private final FakeModel model =
      new FakeModel(11, 1) {
        @Override
        void beforeForward(List<Step> batch) {
          shares.add(batch.stream().map(step -> step.tokens().length).toList());
          if (breaks.get()) {
            throw new IllegalStateException("device lost");
          }
        }
      };
  private final Workspace workspace = new Workspace(11);

  private Turn turn(Request request) {
    return Alone.turn(model, request, workspace, () -> false);
  }

  @Test
  void whoWritesGoesFirstAndPromptsAreReadInTheirOrder() {
    var batch = Alone.batch(model, 20);
    batch.add(turn(Request.of(1)));
    batch.step();
    batch.add(turn(Request.of(new int[30])));
    batch.add(turn(Request.of(new int[50])));
    batch.add(turn(Request.of(new int[3])));
    batch.step();
    assertThat(shares.get(1))
        .as("a few tokens are no prompt to wait for")
        .containsExactly(1, 3, 16);
    batch.step();
    assertThat(shares.get(2)).containsExactly(1, 1, 14, 2);
  }

  @Test
  void higherPrioritiesAreReadFirstWheneverTheyCome() {
    var batch = Alone.batch(model, 20);
    batch.add(turn(Request.of(new int[30]).withPriority(Priority.LOW)));
    batch.step();
    batch.add(turn(Request.of(new int[31])));
    batch.add(turn(Request.of(new int[5]).withPriority(Priority.HIGH)));
    batch.step();
    assertThat(shares.get(1)).as("five, then fifteen of thirty-one").containsExactly(5, 15);
    batch.step();
    assertThat(shares.get(2)).as("a token of the reply, then the rest").containsExactly(1, 16, 3);
  }

  @Test
  void draftsTakeOnlyWhatNobodyElseNeeds() {
    Drafter zeros = known -> max -> new int[max];
    Request drafting = Request.of(1).withSpeculation(Speculation.of(zeros, 8));
    var batch = Alone.batch(model, 4);
    for (int i = 0; i < 3; i++) {
      batch.add(turn(drafting));
    }
    batch.add(turn(Request.of(2)));
    batch.step();
    assertThat(shares.getFirst()).containsExactly(1, 1, 1, 1);
  }

  @Test
  void eachTurnHasItsOwnLimit() {
    var batch = Alone.batch(model, 64);
    List<Turn> turns = new ArrayList<>();
    for (int max = 1; max <= 5; max++) {
      turns.add(turn(Request.of(max).withMaxTokens(max)));
      batch.add(turns.getLast());
    }
    for (int step = 0; step < 5; step++) {
      batch.step();
    }
    assertThat(turns).allMatch(Turn::isDone);
    assertThat(shares.stream().map(List::size)).containsExactly(5, 4, 3, 2, 1);
    assertThat(turns.stream().map(t -> t.reply().tokens().length)).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void aFailingTurnEndsAlone() {
    var batch = Alone.batch(model, 64);
    Turn healthy = turn(Request.of(1).withMaxTokens(5));
    Turn deaf =
        turn(
            Request.of(2)
                .withListener(
                    piece -> {
                      throw new AssertionError("cannot hear");
                    }));
    List.of(deaf, healthy).forEach(batch::add);
    for (int step = 0; step < 5; step++) {
      batch.step();
    }
    assertThat(healthy.reply().tokens()).hasSize(5);
    assertThatThrownBy(deaf::reply).hasMessageContaining("cannot hear");
  }

  @Test
  void aFailingForwardEndsItsTurnsAndTheNextOnesRun() {
    var batch = Alone.batch(model, 64);
    Turn first = turn(Request.of(1));
    Turn second = turn(Request.of(2));
    batch.add(first);
    batch.add(second);
    breaks.set(true);
    batch.step();
    breaks.set(false);
    for (Turn turn : List.of(first, second)) {
      assertThatThrownBy(turn::reply)
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("device lost");
    }
    Turn third = turn(Request.of(3).withMaxTokens(1));
    batch.add(third);
    batch.step();
    assertThat(third.reply().tokens()).hasSize(1);
  }
}
