package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Model;

/** Rows of named points; that they are the right ones is {@link GoldenTest}'s matter. */
class HiddenTest {
  private static LanguageModel load(String family, String backend) {
    var options = LoadOptions.standard().withBackend(backend).withThreads(1);
    return LanguageModel.load(new Golden(family).files().getLast(), options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"llama-untied", "qwen35-text"})
  void aPointIsCompiledOnceAndLeavesGenerationAlone(String family) {
    try (var model = load(family, "cpu");
        var session = model.model().open()) {
      var prompt = new Golden(family).cases().get(1).prompt();
      var step = new Model.Step(session, prompt, 1);
      var logits = model.model().forward(List.of(step)).getFirst()[0].toArray();
      int before = model.compilations();
      var first = model.hidden("final", prompt);
      var again = model.hidden("final", prompt);
      assertThat(model.compilations() - before).isEqualTo(1);
      assertThat(Arrays.deepEquals(first, again)).isTrue();
      assertThat(first).hasNumberOfRows(prompt.length);
      try (var other = model.model().open()) {
        var twin = new Model.Step(other, prompt, 1);
        assertThat(model.model().forward(List.of(twin)).getFirst()[0].toArray()).isEqualTo(logits);
      }
    }
  }

  @Test
  void aTextInSeveralStepsHasTheRowsOfOne() {
    var golden = new Golden("llama-untied");
    var small =
        Profile.standard()
            .with(Phase.PREFILL, Profile.Choices.with(Specialization.Buckets.powerOfTwo(4, 4)));
    var options = LoadOptions.standard().withThreads(1);
    try (var whole = LanguageModel.load(golden.files().getLast(), options);
        var cut = LanguageModel.load(golden.files().getLast(), options.withProfile(small))) {
      var prompt = golden.cases().get(2).prompt();
      var expected = whole.hidden("layer.1", prompt);
      var got = cut.hidden("layer.1", prompt);
      assertThat(prompt.length).isGreaterThan(4);
      for (int row = 0; row < expected.length; row++) {
        for (int i = 0; i < expected[row].length; i++) {
          assertThat(got[row][i])
              .isCloseTo(expected[row][i], org.assertj.core.data.Offset.offset(1e-4f));
        }
      }
    }
  }

  @Test
  void whatIsNoPointOrNoTextIsASentence() {
    try (var model = load("llama-untied", "reference")) {
      assertThatThrownBy(() -> model.hidden("middle", 1, 2))
          .isInstanceOf(LoadException.class)
          .hasMessageStartingWith("the model has no point middle; there are embedding, layer.0, ");
      assertThatThrownBy(() -> model.hidden("final"))
          .isInstanceOf(LoadException.class)
          .hasMessageStartingWith("a text of 0 tokens, but the context holds 1 to ");
      assertThatThrownBy(() -> model.hidden("final", new int[model.contextLength() + 1]))
          .isInstanceOf(LoadException.class);
    }
  }
}
