package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RehearsalTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Writes down how many tokens of how many sessions its passes feed. */
  private static class Noting extends FakeModel {
    final List<Integer> rows = new ArrayList<>();

    Noting() {
      super(11, 1);
    }

    @Override
    void beforeForward(List<Step> batch) {
      rows.add(batch.stream().mapToInt(step -> step.tokens().length).sum());
    }
  }

  @Test
  void everySizeRunsOftenEnoughToBeKnownAndNothingIsKept() {
    var model = new Noting();
    try (var engine = Engine.start(model)) {
      engine.rehearse(LONG);
      assertThat(model.open).isZero();
      for (int size : new int[] {1, 8, 16, 17, 32, 33, 64}) {
        assertThat(model.rows).filteredOn(n -> n == size).as("%d rows", size).hasSize(3);
      }
      assertThat(engine.report().steps()).as("nobody's steps are not counted").isZero();
      int[] prompt = {3, 1, 4};
      assertThat(engine.generate(Request.of(prompt).withMaxTokens(9)).tokens())
          .isEqualTo(
              Alone.reply(new FakeModel(11, 1), Request.of(prompt).withMaxTokens(9)).tokens());
    }
  }

  @Test
  void aStepIsNoLargerThanTheBudget() {
    var model = new Noting();
    try (var engine = Engine.start(model, Capacity.standard().withParallel(4).withBudget(12))) {
      engine.rehearse(LONG);
    }
    assertThat(model.largestStep).isEqualTo(12);
  }

  @Test
  void requestsGoFirst() {
    var begun = new CountDownLatch(1);
    var asked = new CountDownLatch(1);
    var model =
        new Noting() {
          @Override
          void beforeForward(List<Step> batch) {
            super.beforeForward(batch);
            begun.countDown();
            EngineTest.awaitUninterruptibly(asked);
          }
        };
    try (var engine = Engine.start(model)) {
      var rehearsal = CompletableFuture.runAsync(() -> engine.rehearse(LONG));
      EngineTest.awaitUninterruptibly(begun);
      Ticket ticket = engine.submit(Request.of(new int[7]).withMaxTokens(4));
      asked.countDown();
      ticket.await();
      rehearsal.join();
    }
    assertThat(model.rows.subList(0, 5)).containsExactly(1, 7, 1, 1, 1);
  }

  @Test
  void whatFailsIsSaidAndTheEngineGoesOn() {
    var model =
        new Noting() {
          @Override
          void beforeForward(List<Step> batch) {
            super.beforeForward(batch);
            if (rows.getLast() == 8) throw new IllegalStateException("device lost");
          }
        };
    try (var engine = Engine.start(model)) {
      assertThatThrownBy(() -> engine.rehearse(LONG))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("device lost");
      assertThat(engine.generate(Request.of(1).withMaxTokens(2)).tokens()).hasSize(2);
    }
  }

  @Test
  void whatThereIsNoMemoryForIsLeftOut() {
    var model = new Noting();
    model.budget = 20;
    try (var engine = Engine.start(model)) {
      engine.rehearse(LONG);
      assertThat(model.open).isZero();
    }
    assertThat(model.rows).contains(17).doesNotContain(33);
  }

  @Test
  void closingEndsIt() {
    var begun = new CountDownLatch(1);
    var model =
        new FakeModel(11, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            begun.countDown();
            try {
              Thread.sleep(1);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    var engine = Engine.start(model);
    var rehearsal = CompletableFuture.runAsync(() -> engine.rehearse(LONG));
    EngineTest.awaitUninterruptibly(begun);
    engine.close();
    rehearsal.join();
    assertThat(model.open).isZero();
    assertThatThrownBy(() -> engine.rehearse(LONG)).hasMessageContaining("closed");
  }
}
