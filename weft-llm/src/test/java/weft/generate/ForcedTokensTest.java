package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a mask leaves no choice for is fed without being asked about. */
class ForcedTokensTest {
  private static final int ANY = -1;

  private final List<Integer> heard = new ArrayList<>();
  private int applied;

  /** Says tokens of its own, and leaves the model those that are any. */
  private final class Script implements Mask {
    private final int[] script;
    private final boolean forces;
    private int at;

    Script(boolean forces, int... script) {
      this.forces = forces;
      this.script = script;
    }

    @Override
    public void apply(float[] logits) {
      applied++;
      if (at == script.length || script[at] == ANY) return;
      float only = logits[script[at]];
      Arrays.fill(logits, Float.NEGATIVE_INFINITY);
      logits[script[at]] = only;
    }

    @Override
    public int[] forced() {
      int to = at;
      while (forces && to < script.length && script[to] != ANY) to++;
      return Arrays.copyOfRange(script, at, to);
    }

    @Override
    public void chosen(int token) {
      heard.add(token);
      if (at < script.length) at++;
    }
  }

  private static final int[] SCRIPT = {4, 5, 6, ANY, ANY, 7, 7, 7, 7, ANY, 3};

  private Reply reply(FakeModel model, boolean forces, Request request) {
    return Alone.reply(model, request.withMask(() -> new Script(forces, SCRIPT)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 8})
  void theTextIsThatOfTheSameMaskTokenByToken(int draft) {
    Drafter sevens =
        known ->
            max -> {
              int[] guess = new int[max];
              Arrays.fill(guess, 7);
              return guess;
            };
    for (int grain : new int[] {1, 4}) {
      Request request =
          Request.of(1, 2, 3).withMaxTokens(20).withSpeculation(Speculation.of(sevens, draft));
      Reply asked = reply(new FakeModel(11, 1), false, request);
      heard.clear();
      Reply forced = reply(new FakeModel(11, grain), true, request);
      assertThat(forced.tokens()).isEqualTo(asked.tokens());
      assertThat(heard).containsExactlyElementsOf(Arrays.stream(asked.tokens()).boxed().toList());
    }
  }

  @Test
  void runsOfThemAreFedTogetherAndNotSampled() {
    var model = new FakeModel(11, 1);
    Reply reply = reply(model, true, Request.of(1, 2, 3).withMaxTokens(20));
    assertThat(reply.tokens()).hasSize(20).startsWith(4, 5, 6).containsSequence(7, 7, 7, 7);
    // 12 tokens have a choice, and the first three come with the prompt's pass.
    assertThat(applied).isEqualTo(12);
    assertThat(model.forwards).isEqualTo(13);
  }

  @Test
  void aReplyEndsWithinThem() {
    Request request = Request.of(1, 2, 3).withMaxTokens(2);
    assertThat(reply(new FakeModel(11, 1), true, request).tokens()).containsExactly(4, 5);
    Request stopping = Request.of(1, 2, 3).withEnds(Set.of(6));
    Reply stopped = reply(new FakeModel(11, 1), true, stopping);
    assertThat(stopped.tokens()).containsExactly(4, 5, 6);
    assertThat(stopped.finish()).isEqualTo(Finish.STOP);
  }

  @Test
  void whoAsksForProbabilitiesHasEachTokensOwn() {
    Request request = Request.of(1, 2, 3).withMaxTokens(11).withLogprobs(0);
    var model = new FakeModel(11, 1);
    List<Piece> pieces = reply(model, true, request).pieces();
    assertThat(pieces).isEqualTo(reply(new FakeModel(11, 1), false, request).pieces());
    assertThat(model.forwards).isEqualTo(11);
  }

  @Test
  void stopTokensAreNotForcedBeforeTheMinimum() {
    Mask ending =
        new Mask() {
          @Override
          public void apply(float[] logits) {}

          @Override
          public int[] forced() {
            return new int[] {5, 9};
          }
        };
    var mask = new MinimumLength(ending, 3, Set.of(9));
    assertThat(mask.forced()).containsExactly(5);
    mask.chosen(5);
    mask.chosen(5);
    assertThat(mask.forced()).containsExactly(5, 9);
  }

  @Test
  void aTokenThatThereIsNotEndsTheReplyByItsName() {
    Mask foreign =
        new Mask() {
          @Override
          public void apply(float[] logits) {}

          @Override
          public int[] forced() {
            return new int[] {11};
          }
        };
    Request request = Request.of(1).withMask(() -> foreign);
    assertThatThrownBy(() -> Alone.reply(new FakeModel(11, 1), request))
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining("has id 11");
  }
}
