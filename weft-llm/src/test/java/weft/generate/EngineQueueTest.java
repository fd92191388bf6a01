package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may wait, in which order they are served, and what is counted of it. */
@Timeout(60)
class EngineQueueTest {

  @Test
  void aFullQueueRefusesAndCountsAndTakesAgain() {
    var gate = new CountDownLatch(1);
    var model = new Gated(gate);
    var capacity = Capacity.standard().withParallel(2).withQueue(1);
    try (var engine = Engine.start(model, capacity)) {
      Request request = Request.of(1).withMaxTokens(2);
      var first = engine.submit(request);
      var second = engine.submit(request);
      var third = engine.submit(request);
      assertThatThrownBy(() -> engine.submit(request))
          .isInstanceOfSatisfying(
              BusyException.class,
              busy -> {
                assertThat(busy.retryAfter()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
                assertThat(busy).hasMessageContaining("queue holds 1");
              });
      assertThat(engine.report().refused()).isEqualTo(1);
      gate.countDown();
      first.await();
      second.await();
      third.await();
      assertThat(engine.generate(request).tokens()).hasSize(2);
      EngineReport report = engine.report();
      assertThat(report.submitted()).isEqualTo(4);
      assertThat(report.finished()).isEqualTo(4);
      assertThat(report.waiting()).isZero();
      assertThat(report.running()).isZero();
    }
  }

  @Test
  void aCapacityThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> Capacity.standard().withQueue(-1)).hasMessageContaining("got -1");
    for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> Capacity.standard().withCacheShare(share))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("got " + share);
    }
  }

  /** Runs nothing before it is let. */
  private static final class Gated extends FakeModel {
    private final CountDownLatch gate;

    Gated(CountDownLatch gate) {
      super(11, 1);
      this.gate = gate;
    }

    @Override
    void beforeForward(java.util.List<Step> batch) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
