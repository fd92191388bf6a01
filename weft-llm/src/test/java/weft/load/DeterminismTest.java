package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.generate.Model;
import weft.generate.Request;
import weft.generate.Sampling;

/** What {@link Sampling} promises of the same seed, on the CPU. */
class DeterminismTest {
  private static final int REPLY = 24;

  private static LanguageModel load(String family, String type, int threads) {
    var options = LoadOptions.standard().withBackend("cpu").withThreads(threads);
    return LanguageModel.load(new Golden(family).gguf(type), options);
  }

  private static int[] prompt(Golden golden, int index) {
    return golden.cases().get(index).prompt();
  }

  /** A step of the same rows has the same bits, however many threads share it and however often. */
  @ParameterizedTest
  @CsvSource({"qwen3, f32", "llama-untied, q8_0", "qwen35-text, q8_0"})
  void theSameStepGivesTheSameBitsOnAnyTeam(String family, String type) {
    var expected = new ArrayList<float[]>();
    for (int threads : new int[] {1, 1, 2, 3}) {
      try (var model = load(family, type, threads)) {
        var rows = alone(model.model(), prompt(new Golden(family), 1));
        if (expected.isEmpty()) expected.addAll(rows);
        for (int i = 0; i < rows.size(); i++) {
          assertThat(rows.get(i)).as("%d threads, step %d", threads, i).isEqualTo(expected.get(i));
        }
      }
    }
  }

  /** A step beside others may round otherwise: as far as the matrix says, and no further. */
  @ParameterizedTest
  @CsvSource({"qwen3, f32, 1e-4", "llama-untied, q8_0, 8e-2", "qwen35-text, q8_0, 8e-2"})
  void aBatchIsAsNearAsTheMatrixSays(String family, String type, float tolerance) {
    var golden = new Golden(family);
    try (var model = load(family, type, 2)) {
      var alone = alone(model.model(), prompt(golden, 1));
      var beside = beside(model.model(), prompt(golden, 1), prompt(golden, 2));
      for (int i = 0; i < alone.size(); i++) {
        float largest = 1;
        for (float logit : alone.get(i)) largest = Math.max(largest, Math.abs(logit));
        assertThat(beside.get(i))
            .as("step %d", i)
            .containsExactly(alone.get(i), offset(tolerance * largest));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"qwen3, f32", "llama-untied, q8_0", "qwen35-text, q8_0"})
  void theSameSeedGivesTheSameTokensOneReplyAfterTheOther(String family, String type) {
    try (var model = load(family, type, 2)) {
      var request =
          Request.of(prompt(new Golden(family), 1))
              .withMaxTokens(REPLY)
              .withSampling(Sampling.seeded(7));
      var first = model.generate(request).tokens();
      assertThat(model.generate(request).tokens()).isEqualTo(first);
      assertThat(model.generate(request.withSampling(Sampling.seeded(8))).tokens())
          .isNotEqualTo(first);
    }
  }

  /** The logits after a prompt and after each of some tokens. */
  private static List<float[]> alone(Model model, int[] prompt) {
    var rows = new ArrayList<float[]>();
    try (var session = model.open()) {
      for (var tokens : feeds(prompt)) {
        var logits = model.forward(List.of(new Model.Step(session, tokens, 1)));
        rows.add(copy(model, logits.getFirst()[0]));
      }
    }
    return rows;
  }

  private static List<float[]> beside(Model model, int[] prompt, int[] other) {
    var rows = new ArrayList<float[]>();
    try (var session = model.open();
        var second = model.open();
        var third = model.open()) {
      for (var tokens : feeds(prompt)) {
        var batch =
            List.of(
                new Model.Step(second, other, 1),
                new Model.Step(session, tokens, 1),
                new Model.Step(third, Arrays.copyOf(other, 2), 1));
        rows.add(copy(model, model.forward(batch).get(1)[0]));
      }
    }
    return rows;
  }

  private static List<int[]> feeds(int[] prompt) {
    return List.of(prompt, new int[] {3}, new int[] {5}, new int[] {7, 11});
  }

  private static float[] copy(Model model, weft.generate.Logits logits) {
    var row = new float[model.vocabularySize()];
    logits.copyTo(row);
    return row;
  }
}
