package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineTest {
  private static final Request ENDLESS = Request.of(1, 2, 3);

  @Test
  void manyRequestsFromManyThreadsGetTheRepliesTheyWouldGetAlone() throws InterruptedException {
    var model = new FakeModel(11, 4);
    var threads = new ArrayList<Thread>();
    var wrong = new ArrayList<String>();
    try (var engine = Engine.start(model, Capacity.standard().withParallel(4).withBudget(24))) {
      for (int t = 0; t < 6; t++) {
        var random = new Random(t);
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int i = 0; i < 30; i++) {
                        Request request = randomRequest(random);
                        int[] expected = Alone.reply(new FakeModel(11, 1), request).tokens();
                        if (!Arrays.equals(engine.submit(request).await().tokens(), expected)) {
                          synchronized (wrong) {
                            wrong.add(Arrays.toString(request.prompt()));
                          }
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(model.largestStep).isLessThanOrEqualTo(24);
    assertThat(model.open).isZero();
  }

  private static Request randomRequest(Random random) {
    return Request.of(random.ints(1 + random.nextInt(60), 0, 11).toArray())
        .withSampling(random.nextBoolean() ? Sampling.GREEDY : Sampling.seeded(random.nextLong()))
        .withSpeculation(Speculation.of(new PromptLookup(1, 2), random.nextInt(4)))
        .withMaxTokens(1 + random.nextInt(20));
  }

  @Test
  void turnsShareForwardPasses() {
    var gate = new CountDownLatch(1);
    var model =
        new FakeModel(11, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            awaitUninterruptibly(gate);
          }
        };
    try (var engine = Engine.start(model, Capacity.standard().withParallel(8).withBudget(64))) {
      var tickets = new ArrayList<Ticket>();
      for (int i = 0; i < 8; i++) {
        tickets.add(engine.submit(Request.of(i).withMaxTokens(20)));
      }
      gate.countDown();
      tickets.forEach(ticket -> assertThat(ticket.await().tokens()).hasSize(20));
    }
    // The first pass may have had one turn only; the other seven join at the second.
    assertThat(model.forwards).isLessThanOrEqualTo(21);
  }

  @Test
  void moreRequestsThanSeatsWaitAndFinish() {
    try (var engine =
        Engine.start(new FakeModel(11, 1), Capacity.standard().withParallel(2).withBudget(8))) {
      var tickets = new ArrayList<Ticket>();
      for (int i = 0; i < 20; i++) {
        tickets.add(engine.submit(Request.of(i % 11).withMaxTokens(3)));
      }
      tickets.forEach(ticket -> assertThat(ticket.await().finish()).isEqualTo(Finish.LENGTH));
    }
  }

  @Test
  void aNextPromptReusesWhatAnIdleSequenceHolds() {
    try (var engine =
        Engine.start(new FakeModel(11, 1), Capacity.standard().withParallel(2).withBudget(64))) {
      int[] prompt = new Random(1).ints(40, 0, 11).toArray();
      int[] reply = engine.submit(Request.of(prompt).withMaxTokens(8)).await().tokens();
      int[] next = TurnTest.concat(TurnTest.concat(prompt, reply), new int[] {5, 6});
      Usage usage = engine.submit(Request.of(next).withMaxTokens(1)).await().usage();
      assertThat(usage.cachedTokens()).isEqualTo(47);
      assertThat(usage.prefillTokens()).isEqualTo(3);
    }
  }

  @Test
  void piecesStreamWhileTheReplyIsMade() {
    try (var engine =
        Engine.start(new Unhurried(), Capacity.standard().withParallel(1).withBudget(8))) {
      Ticket ticket = engine.submit(ENDLESS);
      List<Piece> first;
      try (var pieces = ticket.pieces()) {
        first = pieces.limit(5).toList();
      }
      Reply reply = ticket.await();
      assertThat(reply.finish()).isEqualTo(Finish.CANCELLED);
      assertThat(reply.pieces()).startsWith(first.toArray(Piece[]::new));
      assertThat(ticket.pieces()).containsExactlyElementsOf(reply.pieces());
    }
  }

  @Test
  void cancellingEndsARunningAndAWaitingRequest() {
    try (var engine =
        Engine.start(new Unhurried(), Capacity.standard().withParallel(1).withBudget(8))) {
      Ticket running = engine.submit(ENDLESS);
      Ticket waiting = engine.submit(ENDLESS);
      assertThat(running.pieces().limit(2).toList()).hasSize(2);
      waiting.cancel();
      Reply never = waiting.await();
      assertThat(running.future()).isNotDone();
      assertThat(never.finish()).isEqualTo(Finish.CANCELLED);
      assertThat(never.tokens()).isEmpty();
      running.cancel();
      assertThat(running.await().tokens()).hasSizeGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void aFailingListenerEndsItsRequestOnly() {
    try (var engine =
        Engine.start(new FakeModel(11, 1), Capacity.standard().withParallel(4).withBudget(8))) {
      Ticket healthy = engine.submit(ENDLESS.withMaxTokens(50));
      Ticket broken =
          engine.submit(
              ENDLESS.withListener(
                  piece -> {
                    throw new IllegalStateException("pipe closed");
                  }));
      assertThatThrownBy(broken::await)
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("pipe closed");
      assertThatThrownBy(() -> broken.pieces().forEach(piece -> {}))
          .hasMessageContaining("pipe closed");
      assertThat(healthy.await().tokens()).hasSize(50);
    }
  }

  @Test
  void aTurnThatCannotBeginFailsAlone() {
    var model = new FakeModel(11, 1);
    try (var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(8))) {
      Ticket broken =
          engine.submit(
              ENDLESS.withText(
                  () -> {
                    throw new IllegalStateException("no tokenizer");
                  }));
      assertThatThrownBy(broken::await).hasMessageContaining("no tokenizer");
      assertThat(engine.submit(ENDLESS.withMaxTokens(2)).await().tokens()).hasSize(2);
    }
    assertThat(model.open).isZero();
  }

  @Test
  void theEngineOutlivesAFailingForward() {
    var breaks = new AtomicBoolean(true);
    var model =
        new FakeModel(11, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            if (breaks.get()) {
              throw new OutOfMemoryError("device");
            }
          }
        };
    try (var engine = Engine.start(model, Capacity.standard().withParallel(2).withBudget(8))) {
      assertThatThrownBy(engine.submit(ENDLESS)::await)
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("forward pass failed")
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
      breaks.set(false);
      assertThat(engine.submit(ENDLESS.withMaxTokens(2)).await().tokens()).hasSize(2);
    }
    assertThat(model.open).isZero();
  }

  @Test
  void closingCancelsWhatRunsAndRefusesMore() {
    var model = new Unhurried();
    var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(8));
    Ticket running = engine.submit(ENDLESS);
    Ticket waiting = engine.submit(ENDLESS);
    assertThat(running.pieces().limit(1).toList()).hasSize(1);
    engine.close();
    assertThat(running.await().finish()).isEqualTo(Finish.CANCELLED);
    assertThat(waiting.await().finish()).isEqualTo(Finish.CANCELLED);
    assertThat(model.open).isZero();
    assertThatThrownBy(() -> engine.submit(ENDLESS)).hasMessageContaining("closed");
    engine.close();
  }

  @Test
  void aCancelledFutureEndsTheReply() {
    try (var engine = Engine.start(new Unhurried())) {
      Ticket ticket = engine.submit(ENDLESS);
      assertThat(ticket.future().cancel(true)).isTrue();
      assertThat(ticket.await().finish()).isEqualTo(Finish.CANCELLED);
      Ticket late = engine.submit(ENDLESS);
      assertThatThrownBy(() -> late.future().orTimeout(1, TimeUnit.MILLISECONDS).join())
          .hasCauseInstanceOf(TimeoutException.class);
      assertThat(late.await().finish()).isEqualTo(Finish.CANCELLED);
    }
  }

  @Test
  void aFutureThatIsDoneChangesNothing() {
    try (var engine = Engine.start(new FakeModel(11, 1))) {
      Ticket ticket = engine.submit(ENDLESS.withMaxTokens(3));
      assertThat(ticket.future().join().finish()).isEqualTo(Finish.LENGTH);
      ticket.future().cancel(true);
      assertThat(ticket.await().finish()).isEqualTo(Finish.LENGTH);
    }
  }

  @Test
  void anInterruptEndsTheReplyThatIsWaitedFor() {
    try (var engine = Engine.start(new Unhurried())) {
      Ticket awaited = engine.submit(ENDLESS);
      Thread.currentThread().interrupt();
      assertThatThrownBy(awaited::await)
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(awaited.await().finish()).isEqualTo(Finish.CANCELLED);
      Ticket streamed = engine.submit(ENDLESS);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> streamed.pieces().forEach(piece -> {}))
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(streamed.await().finish()).isEqualTo(Finish.CANCELLED);
    }
  }

  @Test
  void aWaitTakesItsTime() {
    try (var engine = Engine.start(new Unhurried())) {
      Ticket ticket = engine.submit(ENDLESS);
      assertThat(ticket.await(Duration.ZERO)).isEmpty();
      assertThat(ticket.await(Duration.ofMillis(5))).isEmpty();
      ticket.cancel();
      assertThat(ticket.await(Duration.ofDays(1_000_000))).isPresent();
      assertThat(engine.generate(ENDLESS, Duration.ofMillis(5)).finish())
          .isEqualTo(Finish.CANCELLED);
      assertThat(engine.generate(ENDLESS.withMaxTokens(1), Duration.ofDays(1)).finish())
          .isEqualTo(Finish.LENGTH);
    }
  }

  @Test
  void aListenerThatWouldWaitForItsOwnEngineIsToldSo() {
    try (var engine = Engine.start(new FakeModel(11, 1))) {
      var nested = Listener.of(piece -> engine.generate(ENDLESS));
      assertThatThrownBy(() -> engine.generate(ENDLESS.withListener(nested)))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("engine's own thread");
      assertThat(engine.generate(ENDLESS.withMaxTokens(2)).tokens()).hasSize(2);
    }
  }

  @Test
  void aListenerMayCloseTheEngine() {
    var model = new FakeModel(11, 1);
    var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(8));
    Ticket ticket = engine.submit(ENDLESS.withListener(Listener.of(piece -> engine.close())));
    assertThat(ticket.await().tokens()).hasSize(1);
  }

  @Test
  void requestsThatCannotFitAreRefusedAtOnce() {
    try (var engine =
        Engine.start(new FakeModel(11, 1, 4), Capacity.standard().withParallel(1).withBudget(8))) {
      assertThatThrownBy(() -> engine.submit(Request.of(1, 2, 3, 4, 5)))
          .hasMessageContaining("5 tokens")
          .hasMessageContaining("holds 4");
    }
  }

  @Test
  void aBudgetBelowTheSeatsIsRefused() {
    assertThatThrownBy(() -> Capacity.standard().withParallel(4).withBudget(3))
        .hasMessageContaining("got 3");
    assertThatThrownBy(() -> Capacity.standard().withParallel(0).withBudget(3))
        .hasMessageContaining("got 0");
  }

  static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Slow enough that an endless reply outlasts any test. */
  private static final class Unhurried extends FakeModel {
    Unhurried() {
      super(11, 1);
    }

    @Override
    void beforeForward(List<Step> batch) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
