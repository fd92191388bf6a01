package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.GenerateException;
import weft.generate.Listener;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Sequence;

/** Any number of threads use one model, and each gets the tokens that it would get alone. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyThreadsTest {
  private static final int ROUNDS = 30;

  private final LanguageModel loaded =
      LanguageModel.load(
          Golden.all().getFirst().transformers(), LoadOptions.standard().withThreads(2));

  @AfterEach
  void close() {
    loaded.close();
  }

  private static Request request() {
    return Request.of(1, 2, 3).withMaxTokens(20).withSampling(Sampling.GREEDY);
  }

  private List<Integer> expected() {
    return tokens(loaded.generate(request()));
  }

  private static List<Integer> tokens(Reply reply) {
    return reply.pieces().stream().map(piece -> piece.token()).toList();
  }

  /** What a rival does again and again. */
  private interface Use {
    List<Integer> tokens();
  }

  /** All at once: each gets the right tokens. */
  private void rivals(List<Integer> expected, List<Use> uses) throws InterruptedException {
    var wrong = new ConcurrentLinkedQueue<Object>();
    var right = new AtomicInteger();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < uses.size(); i++) {
      var use = uses.get(i);
      threads.add(
          Thread.ofPlatform()
              .name("rival-" + i)
              .start(
                  () -> {
                    for (int round = 0; round < ROUNDS; round++) {
                      try {
                        var got = use.tokens();
                        if (got.equals(expected)) right.incrementAndGet();
                        else wrong.add(got);
                      } catch (Throwable e) {
                        wrong.add(e);
                      }
                    }
                  }));
    }
    for (var thread : threads) thread.join();
    assertThat(wrong).isEmpty();
    assertThat(right.get()).isEqualTo(ROUNDS * uses.size());
  }

  @Test
  void threadsOnOneModel() throws InterruptedException {
    Use use = () -> tokens(loaded.generate(request()));
    Use stream =
        () -> {
          try (var pieces = loaded.stream(request())) {
            return pieces.map(piece -> piece.token()).toList();
          }
        };
    rivals(expected(), List.of(use, use, use, stream));
  }

  @Test
  void itsOwnEngineAnotherAndSequencesOnOneModel() throws InterruptedException {
    var expected = expected();
    var capacity = Capacity.standard().withParallel(2).withBudget(64);
    try (var engine = Engine.start(loaded.model(), capacity);
        var one = Sequence.open(loaded.model());
        var two = Sequence.open(loaded.model())) {
      rivals(
          expected,
          List.of(
              () -> tokens(loaded.generate(request())),
              () -> tokens(engine.generate(request())),
              () -> greedy(one),
              () -> greedy(two)));
    }
  }

  private static List<Integer> greedy(Sequence sequence) {
    var tokens = new ArrayList<Integer>();
    for (var logits = sequence.prefill(1, 2, 3); ; logits = sequence.step(tokens.getLast())) {
      int best = 0;
      for (int i = 1; i < logits.length; i++) if (logits[i] > logits[best]) best = i;
      tokens.add(best);
      if (tokens.size() == 20) return tokens;
    }
  }

  @Test
  void aSequenceSaysWhoUsesIt() throws InterruptedException {
    var inside = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    // The other thread is in the sequence while it waits for the model.
    var holder = loaded.model().claim();
    try (var sequence = Sequence.open(loaded.model())) {
      var other =
          Thread.ofPlatform()
              .name("the-other")
              .start(
                  () -> {
                    inside.countDown();
                    // It may meet the first one, which looks for it, inside.
                    for (boolean isIn = false; !isIn; ) {
                      try {
                        sequence.prefill(1, 2, 3);
                        isIn = true;
                      } catch (GenerateException inUse) {
                        Thread.onSpinWait();
                      }
                    }
                    done.countDown();
                  });
      inside.await();
      assertThatThrownBy(
              () -> {
                while (true) sequence.rewind(0);
              })
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("in use by thread the-other");
      holder.close();
      done.await();
      other.join();
      assertThat(sequence.position()).isEqualTo(3);
    }
  }

  @Test
  void aListenerCannotWaitForItsModelNorCloseIt() {
    var nested = Listener.of(piece -> loaded.generate(request()));
    assertThatThrownBy(() -> loaded.generate(request().withListener(nested)))
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining("engine's own thread");
    var byHand = Listener.of(piece -> Sequence.open(loaded.model()).prefill(1));
    assertThatThrownBy(() -> loaded.generate(request().withListener(byHand)))
        .hasMessageContaining("in use by this same thread");
    var closing = Listener.of(piece -> loaded.close());
    assertThatThrownBy(() -> loaded.generate(request().withListener(closing)))
        .hasMessageContaining("cannot be closed by the listener");
    assertThat(tokens(loaded.generate(request()))).isEqualTo(expected());
  }

  @Test
  void whatIsClosedSaysSo() {
    var sequence = Sequence.open(loaded.model());
    loaded.generate(request());
    loaded.close();
    loaded.close();
    for (Runnable use :
        List.<Runnable>of(
            () -> loaded.generate(request()),
            () -> loaded.submit(request()),
            () -> loaded.stream(request()),
            () -> loaded.request(1, 2),
            () -> loaded.layers(1),
            () -> sequence.prefill(1),
            () -> Sequence.open(loaded.model()))) {
      assertThatThrownBy(use::run)
          .isInstanceOf(GenerateException.class)
          .hasMessage("the model is closed; load it again to go on");
    }
    sequence.close();
    sequence.close();
    assertThatThrownBy(() -> sequence.step(1)).hasMessage("the sequence is closed; open another");
  }

  @Test
  void closingEndsWhatRunsAndWaitsForIt() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      var model = LanguageModel.load(Golden.all().getFirst().transformers());
      var begun = new CountDownLatch(1);
      var end = new ConcurrentLinkedQueue<Object>();
      var endless = Request.of(1).withListener(Listener.of(piece -> begun.countDown()));
      var thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) end.add(model.generate(endless).finish());
                    } catch (GenerateException e) {
                      end.add(e);
                    }
                  });
      begun.await();
      var rival = Thread.ofPlatform().start(model::close);
      model.close();
      rival.join();
      thread.join();
      assertThat(end).last().isInstanceOf(GenerateException.class);
    }
  }

  @Test
  void aForgottenModelIsWarnedOf() throws InterruptedException {
    var warnings = new LinkedBlockingQueue<String>();
    var options = LoadOptions.standard().withListeners(warnings::add, progress -> {});
    LanguageModel.load(Golden.all().getFirst().transformers(), options).generate(request());
    LanguageModel.load(Golden.all().getFirst().transformers(), options).close();
    for (int i = 0; i < 100 && warnings.isEmpty(); i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(warnings).hasSize(1).first().asString().contains("was never closed");
  }
}
