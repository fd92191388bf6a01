package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import weft.format.Checkpoint;
import weft.generate.Engine;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Request;
import weft.generate.Tap;

/**
 * What Hugging Face Transformers computes for the same weights, from both formats, on both
 * backends, and on one that shares nothing with the host.
 */
class GoldenTest {
  static final float TOLERANCE = 2e-4f;

  /** Transformers' own attention leaves the soft cap on scores out; it moves logits this little. */
  static final float CAP_TOLERANCE = 3e-3f;

  private static LanguageModel load(Path file, String backend) {
    return LanguageModel.load(file, LoadOptions.standard().withBackend(backend).withThreads(1));
  }

  private static List<Arguments> everyFileAndBackend(List<Golden> goldens) {
    var out = new ArrayList<Arguments>();
    for (var golden : goldens) {
      for (var file : golden.files()) {
        for (var backend : List.of("reference", "cpu")) {
          out.add(Arguments.of(golden, file, backend));
        }
      }
      out.add(Arguments.of(golden, golden.files().getLast(), "foreign"));
    }
    return out;
  }

  static List<Arguments> families() {
    return everyFileAndBackend(Golden.all());
  }

  static List<Arguments> options() {
    return everyFileAndBackend(Golden.options());
  }

  @ParameterizedTest(name = "{1} on {2}")
  @MethodSource("families")
  void givesTheLogitsHiddenStatesAndTokens(Golden golden, Path file, String backend) {
    float tolerance = golden.family().startsWith("gemma2") ? CAP_TOLERANCE : TOLERANCE;
    try (var model = load(file, backend);
        var arrays = golden.arrays()) {
      var cases = golden.cases();
      for (var c : cases) {
        checkLogits(model, arrays, c, tolerance);
        checkTokens(model, c);
      }
      checkHidden(model, arrays, cases.get(1), tolerance);
    }
  }

  @ParameterizedTest(name = "{1} on {2}")
  @MethodSource("options")
  void takesSettingsAsTransformersDoes(Golden golden, Path file, String backend) {
    try (var model = load(file, backend);
        var arrays = golden.arrays()) {
      for (var c : golden.cases()) {
        checkLogits(model, arrays, c, TOLERANCE);
        checkTokens(model, c);
      }
    }
  }

  @Test
  void withoutItsScoreCapTheLogitsAreTheSameToTheLastDigits(@TempDir Path folder) throws Exception {
    var golden = new Golden("gemma2");
    Files.copy(
        golden.transformers().resolve("model.safetensors"), folder.resolve("model.safetensors"));
    var config = Files.readString(golden.transformers().resolve("config.json"));
    Files.writeString(
        folder.resolve("config.json"),
        config.replace("\"attn_logit_softcapping\": 50.0", "\"attn_logit_softcapping\": null"));
    try (var model = load(folder, "reference");
        var arrays = golden.arrays()) {
      for (var c : golden.cases()) checkLogits(model, arrays, c, TOLERANCE);
    }
  }

  @Test
  void aHeadThatTheConfigurationTiesIsNotUsed(@TempDir Path folder) throws Exception {
    var golden = new Golden("qwen3-untied-yarn");
    var config = Files.readString(golden.transformers().resolve("config.json"));
    Files.copy(
        golden.transformers().resolve("model.safetensors"), folder.resolve("model.safetensors"));
    Files.writeString(
        folder.resolve("config.json"),
        config.replace("\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true"));
    var c = golden.cases().get(1);
    try (var untied = load(golden.transformers(), "reference");
        var tied = load(folder, "reference")) {
      assertThat(rows(tied, c, 1)).isNotEqualTo(rows(untied, c, 1));
    }
  }

  @ParameterizedTest
  @CsvSource({"llama-untied", "gemma3-text", "qwen35-text"})
  void eightBitWeightsGiveCloseLogits(String family) {
    var golden = new Golden(family);
    try (var model = load(golden.gguf("q8_0"), "cpu");
        var arrays = golden.arrays()) {
      for (var c : golden.cases()) {
        var exact = Golden.read(arrays, c.index() + ".logits");
        int rows = exact.length / model.model().vocabularySize();
        assertThat(cosine(rows(model, c, rows), exact)).as("case %d", c.index()).isGreaterThan(.99);
      }
    }
  }

  @Test
  void eightBitExpertsGiveTheSameLogitsByPortableKernels() {
    // Rounded scores choose other experts here and there, so the float32 logits say nothing, nor
    // do kernels that round activations too.
    var golden = new Golden("qwen3-moe");
    var portable = LoadOptions.standard().withBackend("cpu").withIsa("portable");
    try (var reference = load(golden.gguf("q8_0"), "reference");
        var cpu = LanguageModel.load(golden.gguf("q8_0"), portable)) {
      for (var c : golden.cases()) {
        assertThat(rows(cpu, c, 1))
            .containsExactly(rows(reference, c, 1), Offset.offset(TOLERANCE));
      }
    }
  }

  @ParameterizedTest(name = "on {0}")
  @CsvSource({"reference", "cpu"})
  void aTrunkLeavesItsPredictionHeadAlone(String backend) {
    var golden = new Golden("qwen35-mtp");
    for (var file : golden.files()) {
      try (var model = load(file, backend);
          var arrays = golden.arrays()) {
        for (var c : golden.cases()) {
          var expected = Golden.read(arrays, c.index() + ".trunk_logits");
          checkRows(model, c, expected, TOLERANCE);
        }
      }
    }
  }

  @ParameterizedTest(name = "on {0}")
  @CsvSource({"reference", "cpu", "foreign"})
  void aPredictionHeadForetellsAsItWasTrained(String backend) {
    var golden = new Golden("qwen35-mtp");
    for (var file : golden.files()) {
      try (var model = load(file, backend);
          var arrays = golden.arrays()) {
        checkHead(model, arrays, golden.cases());
      }
    }
  }

  static void checkHead(LanguageModel model, Checkpoint arrays, List<Golden.Case> cases) {
    var head = model.head().orElseThrow();
    for (var c : cases) {
      var expected = Golden.read(arrays, c.index() + ".mtp_logits");
      var tokens = Arrays.copyOfRange(c.prompt(), 1, c.prompt().length);
      var hidden = List.of(model.hidden("final", c.prompt())).subList(0, tokens.length);
      try (var session = head.open()) {
        var step = new Model.Step(session, tokens, tokens.length, 0, Tap.NONE, hidden);
        assertThat(flat(head.forward(List.of(step)).getFirst()))
            .as("case %d", c.index())
            .containsExactly(expected, Offset.offset(TOLERANCE));
      }
    }
  }

  static void checkLogits(LanguageModel model, Checkpoint arrays, Golden.Case c, float tolerance) {
    checkRows(model, c, Golden.read(arrays, c.index() + ".logits"), tolerance);
  }

  private static void checkRows(
      LanguageModel model, Golden.Case c, float[] expected, float tolerance) {
    assertThat(rows(model, c, expected.length / model.model().vocabularySize()))
        .as("case %d", c.index())
        .containsExactly(expected, Offset.offset(tolerance));
  }

  /** The logits of the prompt's last rows, one behind the other. */
  private static float[] rows(LanguageModel model, Golden.Case c, int count) {
    try (var session = model.model().open()) {
      var step = new Model.Step(session, c.prompt(), count);
      return flat(model.model().forward(List.of(step)).getFirst());
    }
  }

  private static float[] flat(Logits[] rows) {
    return flat(Arrays.stream(rows).map(Logits::toArray).toArray(float[][]::new));
  }

  private static double cosine(float[] a, float[] b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      ab += a[i] * b[i];
      aa += a[i] * a[i];
      bb += b[i] * b[i];
    }
    return ab / Math.sqrt(aa * bb);
  }

  static void checkTokens(LanguageModel model, Golden.Case c) {
    try (var engine = Engine.start(model.model())) {
      var reply = engine.generate(Request.of(c.prompt()).withMaxTokens(c.greedy().length));
      assertThat(Arrays.copyOf(reply.tokens(), c.clearTokens()))
          .as("case %d", c.index())
          .isEqualTo(Arrays.copyOf(c.greedy(), c.clearTokens()));
    }
  }

  static void checkHidden(LanguageModel model, Checkpoint arrays, Golden.Case c, float tolerance) {
    var points = model.points();
    assertThat(points).startsWith("embedding", "layer.0").endsWith("final");
    int layers = points.size() - 2;
    for (int i = 0; i <= layers; i++) {
      // Transformers' last hidden state is the one after the final norm.
      var point = i < layers ? points.get(i) : "final";
      assertThat(flat(model.hidden(point, c.prompt())))
          .as(point)
          .containsExactly(Golden.read(arrays, "1.hidden." + i), Offset.offset(tolerance));
    }
  }

  private static float[] flat(float[][] rows) {
    var out = new float[rows.length * rows[0].length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, out, i * rows[i].length, rows[i].length);
    }
    return out;
  }
}
