package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PromptLookupTest {
  private final PromptLookup lookup = new PromptLookup(2, 3);

  @Test
  void proposesWhatFollowedTheLatestLongestMatch() {
    assertThat(lookup.open(Tokens.of(1, 2, 3, 4, 5, 9, 2, 3, 8, 8, 1, 2, 3)).propose(2))
        .containsExactly(4, 5);
    assertThat(lookup.open(Tokens.of(7, 2, 3, 4, 5, 9, 2, 3, 8, 6, 1, 2, 3)).propose(2))
        .containsExactly(8, 6);
  }

  @Test
  void continuesALoopBeyondTheEndOfTheText() {
    assertThat(lookup.open(Tokens.of(5, 1, 2, 1, 2)).propose(5)).containsExactly(1, 2, 1, 2, 1);
    assertThat(lookup.open(Tokens.of(4, 4, 4)).propose(3)).containsExactly(4, 4, 4);
  }

  @Test
  void proposesNothingWithoutAMatch() {
    assertThat(lookup.open(Tokens.of(1, 2, 3, 4, 5)).propose(4)).isEmpty();
    assertThat(lookup.open(Tokens.of(1)).propose(4)).isEmpty();
    assertThat(lookup.open(Tokens.of(1, 2, 1, 2)).propose(0)).isEmpty();
  }

  @Test
  void repetitiveTextTakesFewerForwardsAndStaysTheSame() {
    Request plain = Request.of(3, 1, 4, 1, 5, 9, 2, 6).withMaxTokens(200);
    var slow = new Cycling();
    Reply expected = Alone.reply(slow, plain);
    var fast = new Cycling();
    Reply reply = Alone.reply(fast, plain.withSpeculation(Speculation.of(lookup, 7)));
    assertThat(reply.tokens()).isEqualTo(expected.tokens());
    assertThat(slow.forwards).isEqualTo(200);
    assertThat(fast.forwards).isLessThan(50);
    assertThat(reply.usage().acceptedTokens()).isEqualTo(200 - fast.forwards);
  }

  @Test
  void refusesSizesThatCannotMatch() {
    assertThatThrownBy(() -> new PromptLookup(0, 3)).hasMessageContaining("got 0 and 3");
    assertThatThrownBy(() -> new PromptLookup(3, 2)).hasMessageContaining("got 3 and 2");
  }

  /** Says a line of 13 tokens over and over. */
  private static final class Cycling extends FakeModel {
    Cycling() {
      super(20, 1);
    }

    @Override
    float[] row(long hash, int length) {
      float[] row = new float[vocabularySize()];
      row[length % 13] = 5;
      return row;
    }
  }
}
