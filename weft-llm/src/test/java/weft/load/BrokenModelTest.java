package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Engine;
import weft.generate.GenerateException;
import weft.generate.Model;
import weft.generate.Request;
import weft.net.ModelException;

/** Checkpoints that are incomplete, contradictory or damaged. */
class BrokenModelTest {
  private static final Path LLAMA = new Golden("llama-untied").gguf("f32");

  @TempDir Path folder;

  private Path altered(Path original, UnaryOperator<Altered> change) {
    try (var copy = Altered.copyOf(original)) {
      return change.apply(copy).write(folder.resolve("altered.gguf"));
    }
  }

  private void assertRefused(
      UnaryOperator<Altered> change, Class<? extends RuntimeException> kind, String... sentence) {
    var file = altered(LLAMA, change);
    var refused = assertThatThrownBy(() -> LanguageModel.load(file)).isInstanceOf(kind);
    for (var part : sentence) refused.hasMessageContaining(part);
  }

  @Test
  void aMissingTensorIsNamed() {
    assertRefused(
        a -> a.without("blk.1.ffn_down.weight"),
        ModelException.class,
        "the checkpoint has no tensor blk.1.ffn_down.weight",
        "is the file complete?");
    assertRefused(a -> a.without("token_embd.weight"), ModelException.class, "token_embd.weight");
  }

  @Test
  void aTensorOfTheWrongShapeIsNamedWithBothShapes() {
    assertRefused(
        a -> a.shaped("blk.2.attn_k.weight", 64L, 32L),
        ModelException.class,
        "blk.2.attn_k.weight has shape [64, 32]",
        "[32, 64]");
    assertRefused(
        a -> a.shaped("blk.0.attn_norm.weight", 8L, 8L),
        ModelException.class,
        "blk.0.attn_norm.weight has shape [8, 8]");
  }

  @Test
  void numbersThatContradictEachOtherAreNamed() {
    assertRefused(
        a -> a.saying("llama.feed_forward_length", 161),
        ModelException.class,
        "ffn_gate.weight has shape [160, 64]",
        "[161, 64]");
    assertRefused(
        a -> a.saying("llama.attention.head_count_kv", 3),
        ModelException.class,
        "attention.head_count is 4",
        "3");
    assertRefused(
        a -> a.saying("llama.attention.head_count", 0), ModelException.class, "head_count is 0");
  }

  @Test
  void aMissingNumberIsNamed() {
    assertRefused(a -> a.withoutKey("llama.block_count"), ModelException.class, "block_count");
  }

  /** Found by fuzzing: of such a cap, the scores that matter are below what floats resolve. */
  @Test
  void aCapThatIsNoneIsRefused() {
    var gemma = new Golden("gemma2").gguf("f32");
    var file = altered(gemma, a -> a.saying("gemma2.attn_logit_softcapping", Integer.MAX_VALUE));
    assertThatThrownBy(() -> LanguageModel.load(file))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining(
            "gemma2.attn_logit_softcapping is 2147483647, expected a number from 0");
  }

  /** Found by fuzzing: kernels compare the bits of a cap with none. */
  @Test
  void aCapOfMinusZeroIsNone() {
    var gemma = new Golden("gemma2").gguf("f32");
    var logits = new float[2][];
    for (var zero : List.of(0f, -0f)) {
      var file = altered(gemma, a -> a.saying("gemma2.attn_logit_softcapping", zero));
      try (var model = LanguageModel.load(file, LoadOptions.standard().withThreads(1));
          var session = model.model().open()) {
        var step = new Model.Step(session, new int[] {1, 7, 3}, 1);
        logits[zero.equals(0f) ? 0 : 1] =
            model.model().forward(List.of(step)).getFirst()[0].toArray();
      }
    }
    assertThat(logits[1]).isEqualTo(logits[0]);
  }

  @Test
  void anUnknownArchitectureListsTheKnownOnes() {
    assertRefused(
        a -> a.saying("general.architecture", "hal"),
        LoadException.class,
        "the architecture of altered.gguf is hal; weft runs",
        "Llama");
    assertRefused(
        a -> a.withoutKey("general.architecture"), LoadException.class, "is not said; weft runs");
  }

  private String complaint(Path file, String backend) {
    var options = LoadOptions.standard().withBackend(backend).withThreads(2);
    try (var model = LanguageModel.load(file, options);
        var engine = Engine.start(model.model())) {
      return assertThatThrownBy(() -> engine.generate(Request.of(1, 70, 80).withMaxTokens(4)))
          .isInstanceOf(GenerateException.class)
          .actual()
          .getMessage();
    }
  }

  @ParameterizedTest(name = "{1} in layer {2} on {0}")
  @CsvSource({
    "reference, NaN, 0",
    "reference, Infinity, 2",
    "cpu, NaN, 0",
    "cpu, NaN, 1",
    "cpu, -Infinity, 2",
  })
  void theFirstLayerThatLeavesNoNumbersIsNamed(String backend, float bad, int layer) {
    var file = altered(LLAMA, a -> a.with("blk." + layer + ".ffn_up.weight", 40, bad));
    assertThat(complaint(file, backend))
        .contains("are not finite")
        .contains("The first bad place: layer " + layer + " leaves")
        .contains("compare with the reference backend");
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "portable", "auto"})
  void aPackedWeightThatIsNoNumberIsFoundWhereverItIs(String kernels) {
    var options = LoadOptions.standard().withThreads(2);
    options = kernels.equals("reference") ? options.withBackend(kernels) : options.withIsa(kernels);
    for (var weight :
        List.of("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_down")) {
      var golden = new Golden("llama-untied").gguf("q8_0");
      var file = altered(golden, a -> a.withHalf("blk.1." + weight + ".weight", 34, Float.NaN));
      try (var model = LanguageModel.load(file, options);
          var engine = Engine.start(model.model())) {
        for (var prompt : List.of(new int[] {1}, new int[] {1, 70, 80})) {
          assertThatThrownBy(() -> engine.generate(Request.of(prompt).withMaxTokens(2)))
              .as("%s of %d tokens", weight, prompt.length)
              .isInstanceOf(GenerateException.class)
              .hasMessageContaining("The first bad place: layer 1 leaves");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY})
  void aRouterThatScoresNoNumbersIsNamed(float bad) {
    var golden = new Golden("qwen3-moe").gguf("q8_0");
    var file = altered(golden, a -> a.filled("blk.1.ffn_gate_inp.weight", bad));
    for (var backend : List.of("reference", "cpu")) {
      assertThat(complaint(file, backend)).contains("The first bad place: layer 1 leaves");
    }
  }

  @Test
  void brokenEmbeddingsNormsAndHeadsAreNamed() {
    assertThat(
            complaint(altered(LLAMA, a -> a.with("token_embd.weight", 70 * 256, Float.NaN)), "cpu"))
        .contains("The first bad place: the embedding leaves 1 of");
    assertThat(complaint(altered(LLAMA, a -> a.filled("output_norm.weight", 0)), "cpu"))
        .contains("are all equal to 0.0")
        .containsPattern("The first bad place: the final norm leaves -?0.0 and nothing else");
    assertThat(complaint(altered(LLAMA, a -> a.filled("output.weight", 0)), "cpu"))
        .contains("are all equal to 0.0")
        .contains("the projection to the vocabulary");
  }

  @Test
  void aTextLongerThanAStepIsLookedAtAsAWhole() {
    // The bad row is the first token's: later chunks look sound in the embedding.
    var file = altered(LLAMA, a -> a.with("token_embd.weight", 5 * 256, Float.POSITIVE_INFINITY));
    var text = IntStream.range(0, 200).map(i -> i == 0 ? 5 : 70 + i % 50).toArray();
    try (var model = LanguageModel.load(file)) {
      var reports = model.layers(text);
      assertThat(reports)
          .extracting(LayerReport::layer)
          .containsExactly("the embedding", "layer 0", "layer 1", "layer 2", "the final norm");
      assertThat(reports.getFirst().notFinite()).isEqualTo(1);
      assertThat(reports).allMatch(r -> r.count() == 200 * 64);
      assertThat(model.model().diagnose(text)).get().asString().startsWith("the embedding");
    }
  }

  @Test
  void aSoundModelHasALineALayer() {
    try (var model = LanguageModel.load(LLAMA)) {
      for (var report : model.layers(1, 70, 80)) {
        assertThat(report.isBad()).as("%s", report).isFalse();
        assertThat(report.notFinite()).isZero();
        assertThat(report.count()).isEqualTo(3 * 64);
        assertThat(report.min()).isLessThan(report.max());
        assertThat(report.mean()).isBetween((double) report.min(), (double) report.max());
      }
    }
  }
}
