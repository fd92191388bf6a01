package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Model;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** Members of a mesh on one card or the interpreter: whoever is late, they give what one gives. */
class CudaMeshTest {
  private static final float TOLERANCE = 2e-4f;
  private static final Path MODEL = CudaGoldenTest.GOLDEN.resolve("hf/llama-untied");
  private static final int[] PROMPT = {3, 1, 4, 1, 5, 9, 2};

  private static LoadOptions options(String backend, List<Integer> devices) {
    return LoadOptions.standard().withBackend(backend).withDevices(devices);
  }

  /** The logits behind a prompt, then behind token after token; the last are told as graphs. */
  private static List<float[]> logits(LoadOptions options) {
    var rows = new ArrayList<float[]>();
    try (var model = LanguageModel.load(MODEL, options);
        var session = model.model().open()) {
      rows.add(last(model.model(), new Model.Step(session, PROMPT, 1)));
      for (int token = 7; token < 10; token++) {
        rows.add(last(model.model(), new Model.Step(session, new int[] {token}, 1)));
      }
    }
    return rows;
  }

  private static float[] last(Model model, Model.Step step) {
    return model.forward(List.of(step)).getFirst()[0].toArray();
  }

  static List<List<Integer>> manners() {
    int late = LateDriver.Manner.LATE.ordinal();
    int atOnce = LateDriver.Manner.AT_ONCE.ordinal();
    return List.of(List.of(late, late), List.of(late, atOnce), List.of(atOnce, late));
  }

  @ParameterizedTest
  @MethodSource("manners")
  void membersWaitForEachOtherWhereTheyMust(List<Integer> devices) {
    var expected = logits(options("interpreted", List.of(0)));
    var met = logits(options("late", devices));
    for (int i = 0; i < expected.size(); i++) {
      assertThat(met.get(i))
          .as("row %d", i)
          .containsExactly(expected.get(i), Offset.offset(TOLERANCE));
    }
  }

  @Test
  void aMemberThatDoesNotWaitIsFound() {
    int deaf = LateDriver.Manner.DEAF.ordinal();
    assertThatThrownBy(() -> logits(options("late", List.of(deaf, deaf))))
        .hasMessageContaining("written");
  }

  /**
   * Four share two heads of keys; of the rest of this model, seven have its vocabulary in parts.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 7})
  void moreMembersGiveTheSame(int members) {
    var expected = logits(options("interpreted", List.of(0)));
    var met = logits(options(KitSettings.backend(), Collections.nCopies(members, 0)));
    for (int i = 0; i < expected.size(); i++) {
      assertThat(met.get(i)).containsExactly(expected.get(i), Offset.offset(TOLERANCE));
    }
  }
}
