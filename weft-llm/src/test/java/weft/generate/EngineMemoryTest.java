package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies within a budget that cannot hold all of them at once. */
@Timeout(60)
class EngineMemoryTest {
  private static final int REPLY = 400;

  private static FakeModel tight(int grain, long tokens) {
    var model = new FakeModel(11, grain);
    model.budget = tokens;
    return model;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void eightLongRepliesFinishAsIfEachWereAlone(int grain) {
    var model = tight(grain, 1000);
    var random = new Random(2);
    try (var engine = Engine.start(model)) {
      var requests = new ArrayList<Request>();
      for (int i = 0; i < 8; i++) {
        requests.add(
            Request.of(TurnTest.tokens(random, 50 + i))
                .withSampling(i % 2 == 0 ? Sampling.GREEDY : Sampling.seeded(i))
                .withSpeculation(Speculation.of(new PromptLookup(1, 3), i % 3))
                .withMaxTokens(REPLY));
      }
      var tickets = requests.stream().map(engine::submit).toList();
      for (int i = 0; i < 8; i++) {
        Reply alone = Alone.reply(new FakeModel(11, 1), requests.get(i));
        Reply reply = tickets.get(i).await();
        assertThat(reply.tokens()).as("reply %d", i).isEqualTo(alone.tokens());
        assertThat(reply.usage().generatedTokens()).isEqualTo(REPLY);
      }
      assertThat(engine.report().preemptions()).as("somebody gave way").isPositive();
      assertThat(engine.report().failed()).isZero();
    }
    assertThat(model.mostUsed).isLessThanOrEqualTo(1000);
    assertThat(model.open).isZero();
  }

  @Test
  void maskTextAndListenerGoOnWhereTheyWere() {
    var model = tight(1, 300);
    try (var engine = Engine.start(model)) {
      var tickets = new ArrayList<Ticket>();
      var heard = new ArrayList<List<Integer>>();
      var chosen = new AtomicInteger();
      for (int i = 0; i < 4; i++) {
        var mine = new ArrayList<Integer>();
        heard.add(mine);
        Mask counting =
            new Mask() {
              @Override
              public void apply(float[] logits) {}

              @Override
              public void chosen(int token) {
                chosen.incrementAndGet();
              }
            };
        tickets.add(
            engine.submit(
                Request.of(i, i, i)
                    .withMaxTokens(200)
                    .withMask(() -> counting)
                    .withListener(Listener.of(piece -> mine.add(piece.token())))));
      }
      for (int i = 0; i < 4; i++) {
        int[] tokens = tickets.get(i).await().tokens();
        assertThat(heard.get(i)).isEqualTo(Arrays.stream(tokens).boxed().toList());
      }
      assertThat(chosen).hasValue(4 * 200);
      assertThat(engine.report().preemptions()).isPositive();
      assertThat(engine.report().generatedTokens()).isEqualTo(4 * 200);
    }
  }

  @Test
  void whatCouldNeverFitIsRefusedWithBothNumbers() {
    try (var engine = Engine.start(tight(1, 100))) {
      assertThatThrownBy(() -> engine.submit(Request.of(new int[101])))
          .isInstanceOf(StepRefusedException.class)
          .hasMessageContaining("101 tokens")
          .hasMessageContaining("hold 100 tokens")
          .hasMessageContaining("--memory");
      Reply reply = engine.generate(Request.of(new int[90]));
      assertThat(reply.finish()).as("memory ends it as the context does").isEqualTo(Finish.LENGTH);
      assertThat(reply.tokens()).hasSize(11);
    }
  }

  @Test
  void lowerPrioritiesGiveWayFirst() {
    var gate = new CountDownLatch(1);
    var model =
        new FakeModel(11, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            try {
              gate.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    model.budget = 500;
    var ended = new ArrayList<String>();
    try (var engine = Engine.start(model)) {
      Ticket low = engine.submit(ending("low", ended, Priority.LOW));
      Ticket normal = engine.submit(ending("normal", ended, Priority.NORMAL));
      Ticket high = engine.submit(ending("high", ended, Priority.HIGH));
      gate.countDown();
      for (Ticket ticket : List.of(low, normal, high)) {
        assertThat(ticket.await().tokens()).hasSize(300);
      }
      assertThat(ended).last().isEqualTo("low");
      assertThat(engine.report().preemptions()).isPositive();
    }
  }

  private static Request ending(String name, List<String> ended, Priority priority) {
    var count = new AtomicInteger();
    return Request.of(TurnTest.tokens(new Random(name.hashCode()), 50))
        .withMaxTokens(300)
        .withPriority(priority)
        .withListener(
            Listener.of(
                piece -> {
                  if (count.incrementAndGet() == 300) ended.add(name);
                }));
  }

  @Test
  void oneThatGaveWayIsCancelledAsOneThatSits() {
    var model = tight(1, 300);
    try (var engine = Engine.start(model)) {
      var tickets = new ArrayList<Ticket>();
      for (int i = 0; i < 3; i++) {
        tickets.add(engine.submit(Request.of(i, 1, 2).withMaxTokens(250)));
      }
      tickets.getFirst().await();
      tickets.getLast().cancel();
      Reply reply = tickets.getLast().await();
      assertThat(reply.finish()).isIn(Finish.CANCELLED, Finish.LENGTH);
      assertThat(tickets.get(1).await().tokens()).hasSize(250);
    }
    assertThat(model.open).isZero();
  }
}
