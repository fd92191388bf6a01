package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.Model;
import weft.generate.Request;
import weft.generate.Session;
import weft.generate.StepRefusedException;

/** Texts within a budget of memory: one that does not fit takes nothing from the others. */
class StateMemoryTest {
  private static final Golden LLAMA = new Golden("llama-untied");

  private static LanguageModel model(Golden golden, long bytes) {
    return LanguageModel.load(
        golden.transformers(), LoadOptions.standard().withThreads(1).withStateMemory(bytes));
  }

  private static LanguageModel model(Golden golden) {
    return model(golden, Long.MAX_VALUE);
  }

  /** What 64 positions take. */
  private static long page(LanguageModel model) {
    var compiled = model.compiled();
    try (var session = compiled.open()) {
      compiled.forward(List.of(new Model.Step(session, new int[] {1}, 0)));
      return compiled.stateMemory().bytes();
    }
  }

  private static int[] text(int length, int seed, int vocabulary) {
    return new Random(seed).ints(length, 0, vocabulary).toArray();
  }

  @Test
  void twoTextsWithRoomForOneAndAHalfAreEachAsAlone() {
    try (var free = model(LLAMA);
        var tight = model(LLAMA, 3 * page(free))) {
      int vocabulary = free.model().vocabularySize();
      // Two pages; and one, which becomes a second when the first has all others.
      var first = Request.of(text(70, 1, vocabulary)).withMaxTokens(50);
      var second = Request.of(text(30, 2, vocabulary)).withMaxTokens(80);
      try (var alone = Engine.start(free.model());
          var both = Engine.start(tight.model(), Capacity.standard().withParallel(2))) {
        var one = both.submit(first);
        var other = both.submit(second);
        assertThat(one.await().tokens()).isEqualTo(alone.generate(first).tokens());
        assertThat(other.await().tokens()).isEqualTo(alone.generate(second).tokens());
        // A third finds what idle texts have, too.
        assertThat(both.generate(first).tokens()).isEqualTo(alone.generate(first).tokens());
      }
      assertThat(tight.compiled().stateMemory().bytes()).isZero();
    }
  }

  @Test
  void aTextThatCouldNeverFitIsRefusedAndTheOthersGoOn() {
    try (var free = model(LLAMA);
        var tight = model(LLAMA, page(free))) {
      int vocabulary = free.model().vocabularySize();
      var fits = Request.of(text(5, 1, vocabulary)).withMaxTokens(20);
      var doesNot = Request.of(text(70, 2, vocabulary)).withMaxTokens(5);
      try (var alone = Engine.start(free.model());
          var both = Engine.start(tight.model(), Capacity.standard().withParallel(2))) {
        var one = both.submit(fits);
        assertThatThrownBy(() -> both.submit(doesNot))
            .isInstanceOf(StepRefusedException.class)
            .hasMessageContaining("70 tokens")
            .hasMessageContaining("hold 64 tokens")
            .hasMessageContaining("--memory");
        assertThat(one.await().tokens()).isEqualTo(alone.generate(fits).tokens());
        assertThat(both.generate(fits).tokens()).isEqualTo(alone.generate(fits).tokens());
      }
    }
  }

  /** A text, and the session that should know it. */
  private record Known(Session session, List<Integer> tokens) {}

  @ParameterizedTest
  @ValueSource(strings = {"llama-untied", "gemma3-text", "qwen35-text"})
  void randomForksRewindsAndRefusalsLeaveTextsAsTheyAre(String family) {
    var golden = new Golden(family);
    try (var free = model(golden)) {
      long budget = 7 * page(free);
      var random = new Random(11);
      try (var tight = model(golden, budget)) {
        var model = tight.compiled();
        var pool = model.stateMemory();
        var texts = new ArrayList<Known>();
        int refused = 0;
        for (int i = 0; i < 70; i++) {
          if (texts.size() < 3) texts.add(new Known(model.open(), new ArrayList<>()));
          var text = texts.get(random.nextInt(texts.size()));
          switch (random.nextInt(6)) {
            case 0 -> {
              text.session.rewind(random.nextInt(text.tokens.size() + 1));
              text.tokens.subList(text.session.position(), text.tokens.size()).clear();
            }
            case 1 -> {
              // What a fork is fed is nothing to the text that it is of.
              try (var fork = text.session.fork(text.tokens.size())) {
                var twin = new Known(fork, new ArrayList<>(text.tokens));
                refused += feed(free, tight, twin, random);
              } catch (StepRefusedException | weft.backend.NoRoomException e) {
                refused++;
              }
            }
            case 2 -> {
              if (random.nextInt(3) == 0) {
                text.session.close();
                texts.remove(text);
              }
            }
            default -> refused += feed(free, tight, text, random);
          }
          assertThat(pool.bytes()).isLessThanOrEqualTo(budget);
        }
        assertThat(refused).as("the budget was met").isPositive();
        texts.forEach(text -> text.session.close());
        assertThat(pool.bytes()).isZero();
      }
    }
  }

  /** Feeds some tokens and compares the logits with those of the whole text fed at once. */
  private static int feed(LanguageModel free, LanguageModel tight, Known text, Random random) {
    int room = Math.min(200, free.model().contextLength()) - text.tokens.size();
    if (room <= 0) return 0;
    var more = text(1 + random.nextInt(Math.min(60, room)), random.nextInt(), vocabulary(free));
    float[] row;
    try {
      row = after(tight, text.session, more);
    } catch (StepRefusedException e) {
      assertThat(text.session.position()).as("nothing was fed").isEqualTo(text.tokens.size());
      return 1;
    }
    Arrays.stream(more).forEach(text.tokens::add);
    try (var fresh = free.model().open()) {
      var expected = after(free, fresh, text.tokens.stream().mapToInt(t -> t).toArray());
      assertThat(row).containsExactly(expected, Offset.offset(2e-3f));
    }
    return 0;
  }

  private static int vocabulary(LanguageModel model) {
    return model.model().vocabularySize();
  }

  private static float[] after(LanguageModel model, Session session, int[] tokens) {
    var step = new Model.Step(session, tokens, 1);
    return model.model().forward(List.of(step)).getFirst()[0].toArray();
  }
}
