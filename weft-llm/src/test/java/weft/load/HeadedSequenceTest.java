package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import weft.generate.HeadedSequence;
import weft.generate.HeadedSequence.Outlook;

/** The model and its head by hand: what they say is the golden's, whichever way the text came. */
class HeadedSequenceTest {
  private static final Offset<Float> CLOSE = Offset.offset(2e-4f);
  private final Golden golden = new Golden("qwen35-mtp");

  private LanguageModel load() {
    var options = LoadOptions.standard().withThreads(1);
    return LanguageModel.load(golden.files().getLast(), options);
  }

  private static float[] row(float[] rows, int row, int width) {
    return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
  }

  private static void requireSame(Outlook met, Outlook expected) {
    assertThat(met.next()).containsExactly(expected.next(), CLOSE);
    assertThat(met.foretold()).containsExactly(expected.foretold(), CLOSE);
  }

  @Test
  void prefillAndStepsSayWhatTheGoldenDoes() {
    try (var model = load();
        var arrays = golden.arrays()) {
      int vocabulary = model.model().vocabularySize();
      for (var c : golden.cases()) {
        var foretold = Golden.read(arrays, c.index() + ".mtp_logits");
        var next = Golden.read(arrays, c.index() + ".trunk_logits");
        int pairs = c.prompt().length - 1;
        try (var text = model.headedSequence().orElseThrow()) {
          var met = text.prefill(c.prompt());
          requireSame(met, new Outlook(next, row(foretold, pairs - 1, vocabulary)));
        }
        try (var text = model.headedSequence().orElseThrow()) {
          assertThat(text.prefill(c.prompt()[0]).foretold()).isEmpty();
          for (int i = 1; i <= pairs; i++) {
            assertThat(text.foresee(c.prompt()[i]))
                .containsExactly(row(foretold, i - 1, vocabulary), CLOSE);
            var met = text.step(c.prompt()[i]);
            assertThat(met.foretold()).containsExactly(row(foretold, i - 1, vocabulary), CLOSE);
            if (i == pairs) assertThat(met.next()).containsExactly(next, CLOSE);
          }
        }
      }
    }
  }

  @Test
  void whatIsRestoredRewoundOrCommittedGoesOnAsIfFedAtOnce() {
    try (var model = load();
        var whole = model.headedSequence().orElseThrow();
        var text = model.headedSequence().orElseThrow()) {
      var prompt = golden.cases().getLast().prompt();
      var expected = whole.prefill(prompt);
      int half = prompt.length / 2;
      text.prefill(Arrays.copyOf(prompt, half));
      try (var checkpoint = text.checkpoint()) {
        assertThat(checkpoint.position()).isEqualTo(half);
        for (int token : List.of(7, 8, 9)) text.step(token);
        text.restore(checkpoint);
        assertThat(text.position()).isEqualTo(half);
        requireSame(rest(text, prompt), expected);
        text.restore(checkpoint);
        text.commit(5, 6);
        text.rewind(half);
        requireSame(rest(text, prompt), expected);
      }
      text.rewind(3);
      text.commit(Arrays.copyOfRange(prompt, 3, 20));
      requireSame(rest(text, prompt), expected);
      text.step(1);
      requireSame(text.prefill(prompt), expected);
      text.rewind(0);
      requireSame(text.prefill(prompt), expected);
      assertThatThrownBy(() -> text.rewind(prompt.length + 1))
          .hasMessage("cannot rewind to 32: the sequence holds 31 tokens");
      assertThatThrownBy(text::foresee).hasMessageContaining("got 31 and 0");
    }
  }

  private static Outlook rest(HeadedSequence text, int[] prompt) {
    text.commit(Arrays.copyOfRange(prompt, text.position(), prompt.length - 1));
    return text.step(prompt[prompt.length - 1]);
  }
}
