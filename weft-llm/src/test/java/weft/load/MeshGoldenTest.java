package weft.load;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;
import weft.format.Checkpoint;
import weft.ir.Op;

/** Goldens of every family on meshes: what members make together is what one device makes. */
class MeshGoldenTest {
  private static LanguageModel load(Path file, String backend, int members) {
    var options = LoadOptions.standard().withBackend(backend).withThreads(1);
    return LanguageModel.load(file, options.withDevices(nCopies(members, 0)));
  }

  static List<Arguments> meshes() {
    var out = new ArrayList<Arguments>();
    for (var golden : Golden.all()) {
      for (var file : golden.files()) {
        out.add(Arguments.of(golden, file, "reference", 2));
        out.add(Arguments.of(golden, file, "cpu", 2));
      }
      out.add(Arguments.of(golden, golden.files().getLast(), "reference", 4));
      out.add(Arguments.of(golden, golden.files().getLast(), "foreign", 2));
    }
    return out;
  }

  @ParameterizedTest(name = "{1} on {3} of {2}")
  @MethodSource("meshes")
  void givesTheLogitsHiddenStatesAndTokens(Golden golden, Path file, String backend, int members) {
    float tolerance =
        golden.family().startsWith("gemma2") ? GoldenTest.CAP_TOLERANCE : GoldenTest.TOLERANCE;
    try (var model = load(file, backend, members);
        var arrays = golden.arrays()) {
      checkLogitsAndTokens(golden, model, arrays, tolerance);
      GoldenTest.checkHidden(model, arrays, golden.cases().get(1), tolerance);
    }
  }

  private static void checkLogitsAndTokens(
      Golden golden, LanguageModel model, Checkpoint arrays, float tolerance) {
    assertThat(model.compiled().plan().graph().values())
        .anyMatch(value -> value.op() instanceof Op.AllReduce);
    for (var c : golden.cases()) {
      GoldenTest.checkLogits(model, arrays, c, tolerance);
      GoldenTest.checkTokens(model, c);
    }
  }

  static List<Golden> options() {
    return Golden.options();
  }

  /** How a graph is cut depends on its settings, and on no backend. */
  @ParameterizedTest
  @MethodSource("options")
  void givesTheLogitsAndTokensOfOtherSettings(Golden golden) {
    for (int members : new int[] {2, 4}) {
      try (var model = load(golden.transformers(), "cpu", members);
          var arrays = golden.arrays()) {
        checkLogitsAndTokens(golden, model, arrays, GoldenTest.TOLERANCE);
      }
    }
  }

  @ParameterizedTest(name = "on {0}")
  @CsvSource({"reference", "cpu"})
  void aPredictionHeadIsCutAsItsTrunkIs(String backend) {
    var golden = new Golden("qwen35-mtp");
    for (var file : golden.files()) {
      try (var model = load(file, backend, 2);
          var arrays = golden.arrays()) {
        GoldenTest.checkHead(model, arrays, golden.cases());
      }
    }
  }

  @Test
  void whatCannotBeCutIsWholeOnEachMemberAndSaysWhy() {
    // Heads of keys of attention go to two members each; those of a delta rule in turn do not.
    var said = new ArrayList<String>();
    var options =
        LoadOptions.standard()
            .withBackend("reference")
            .withListeners(said::add, progress -> {})
            .withDevices(List.of(0, 0, 0, 0));
    LanguageModel.load(new Golden("qwen35-text").files().getLast(), options).close();
    assertThat(said)
        .contains(
            "all of what ssm_out reads is on each of 4 devices: 32 elements do not cut in 4 pieces"
                + " of multiples of 16");
  }

  /** 259 tokens cut in 7 and nothing else does. */
  @Test
  void aVocabularyThatIsCutIsWholeInTheEnd() {
    var golden = new Golden("llama-untied");
    for (var backend : List.of("reference", "cpu", "foreign")) {
      try (var model = load(golden.files().getLast(), backend, 7);
          var arrays = golden.arrays()) {
        assertThat(model.compiled().plan().graph().values())
            .anyMatch(value -> value.op() instanceof Op.AllGather);
        for (var c : golden.cases()) {
          GoldenTest.checkLogits(model, arrays, c, GoldenTest.TOLERANCE);
          GoldenTest.checkTokens(model, c);
        }
      }
    }
  }

  @Test
  void aModelOfWhichNothingCanBeCutIsRefused() {
    var options = LoadOptions.standard().withBackend("reference");
    var file = new Golden("llama-untied").files().getLast();
    assertThatThrownBy(() -> LanguageModel.load(file, options.withDevices(nCopies(13, 0))))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("nothing of this model can be cut in 13")
        .hasMessageContaining("name fewer devices");
  }

  @Test
  void expertsInABudgetAreForOneDevice() {
    var options =
        LoadOptions.standard()
            .withBackend("cpu")
            .withExperts(ExpertMemory.of(new ExpertBudget.Bytes(1 << 20)))
            .withDevices(List.of(0, 0));
    assertThatThrownBy(() -> LanguageModel.load(new Golden("qwen3-moe").files().getLast(), options))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("for one device");
  }

  @Test
  void explainsHowAMemberIsCompiled() {
    try (var model = load(new Golden("llama-untied").files().getLast(), "reference", 2)) {
      var explanation = model.explain(Phase.DECODE);
      assertThat(explanation.target()).isEqualTo("mesh-2-reference");
      var said = explanation.stages().get(0);
      var divided = explanation.stages().get(1);
      assertThat(said.graph()).doesNotContain("allreduce");
      assertThat(divided.pass()).isEqualTo("divide");
      assertThat(divided.graph()).contains("allreduce", "share.rows", "share.columns");
      assertThat(explanation.launches())
          .anySatisfy(
              launch -> {
                assertThat(launch.operation()).isEqualTo("allreduce");
                assertThat(launch.kernel()).isEqualTo("mesh");
              });
    }
  }
}
