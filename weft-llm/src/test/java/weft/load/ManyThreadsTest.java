package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weft.generate.Engine;
import weft.generate.GenerateException;
import weft.generate.Generator;
import weft.generate.Listener;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Sequence;

/** A model that is confined to a thread says so to every other, and gives no wrong token. */
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
    try (var generator = new Generator(loaded.model())) {
      return tokens(generator.generate(request()));
    }
  }

  private static List<Integer> tokens(Reply reply) {
    return reply.pieces().stream().map(piece -> piece.token()).toList();
  }

  /** What a rival does again and again. */
  private interface Use {
    List<Integer> tokens();
  }

  /** All at once: each gets the right tokens or is told who has the model. */
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
                      } catch (GenerateException e) {
                        if (!e.getMessage().contains("in use by thread")) wrong.add(e);
                      } catch (Throwable e) {
                        wrong.add(e);
                      }
                    }
                  }));
    }
    for (var thread : threads) thread.join();
    assertThat(wrong).isEmpty();
    assertThat(right.get()).isPositive();
  }

  @Test
  void twoThreadsOnOneGenerator() throws InterruptedException {
    var expected = expected();
    try (var generator = new Generator(loaded.model())) {
      Use use = () -> tokens(generator.generate(request()));
      rivals(expected, List.of(use, use, use));
    }
  }

  @Test
  void generatorsAnEngineAndASequenceOnOneModel() throws InterruptedException {
    var expected = expected();
    try (var first = new Generator(loaded.model());
        var second = new Generator(loaded.model());
        var engine = Engine.start(loaded.model(), new Engine.Capacity(2, 64));
        var sequence = Sequence.open(loaded.model())) {
      rivals(
          expected,
          List.of(
              () -> tokens(first.generate(request())),
              () -> tokens(second.generate(request())),
              () -> tokens(engine.submit(request()).await()),
              () -> greedy(sequence)));
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
  void aListenerCannotUseItsModel() {
    try (var generator = new Generator(loaded.model());
        var other = new Generator(loaded.model())) {
      var nested = Listener.of(piece -> other.generate(request()));
      assertThatThrownBy(() -> generator.generate(request().withListener(nested)))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("in use by this same thread");
      assertThat(tokens(generator.generate(request()))).isEqualTo(expected());
    }
  }

  @Test
  void aClosedGeneratorSaysSo() {
    var generator = new Generator(loaded.model());
    generator.generate(request());
    generator.close();
    generator.close();
    assertThatThrownBy(() -> generator.generate(request()))
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void closingWhatGeneratesEndsTheReply() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      var model = LanguageModel.load(Golden.all().getFirst().transformers());
      var generator = new Generator(model.model());
      var begun = new CountDownLatch(1);
      var end = new ConcurrentLinkedQueue<Object>();
      var endless = Request.of(1).withListener(Listener.of(piece -> begun.countDown()));
      var thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) end.add(generator.generate(endless).finish());
                    } catch (GenerateException e) {
                      end.add(e);
                    }
                  });
      begun.await();
      if (i % 2 == 0) generator.close();
      model.close();
      thread.join();
      generator.close();
      assertThat(end).last().isInstanceOf(GenerateException.class);
      model.close();
    }
  }
}
