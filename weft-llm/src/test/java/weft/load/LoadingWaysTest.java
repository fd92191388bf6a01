package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.format.Checkpoint;
import weft.format.Config;
import weft.format.FormatException;
import weft.generate.Model;
import weft.quant.StorageType;

/** Where a configuration is read, weights that are expanded, programs that have run, checks. */
class LoadingWaysTest {
  private static final Golden LLAMA = new Golden("llama-untied");
  private static final LoadOptions OPTIONS = LoadOptions.standard().withThreads(1);

  private static float[] logits(Path path, LoadOptions options) {
    try (var model = LanguageModel.load(path, options);
        var session = model.model().open()) {
      var step = new Model.Step(session, new int[] {1, 2, 3, 4, 5}, 1);
      return model.model().forward(List.of(step)).getFirst()[0].toArray();
    }
  }

  private static Path quantized() {
    return LLAMA.gguf("q8_0");
  }

  private static String configuration() throws IOException {
    return Files.readString(LLAMA.transformers().resolve("config.json"));
  }

  @Test
  void aGivenConfigurationStandsInThePlaceOfTheFoldersOwn(@TempDir Path folder) throws IOException {
    var weights = LLAMA.transformers().resolve("model.safetensors");
    Files.copy(weights, folder.resolve("model.safetensors"));
    var expected = logits(LLAMA.transformers(), OPTIONS);
    var given = new Config.Given(configuration());
    assertThat(logits(folder, OPTIONS.withConfig(given))).isEqualTo(expected);
    assertThat(logits(weights, OPTIONS.withConfig(given))).as("a file alone").isEqualTo(expected);
    var file = new Config.File(LLAMA.transformers().resolve("config.json"));
    assertThat(logits(folder, OPTIONS.withConfig(file))).isEqualTo(expected);
    assertThatThrownBy(() -> logits(folder, OPTIONS))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("config.json");
  }

  @Test
  void givenKeysGoOverThoseOfAGguf() {
    var other = new Config.Given("{\"llama\":{\"rope.freq_base\":77}}");
    assertThat(logits(LLAMA.gguf("f32"), OPTIONS.withConfig(other)))
        .isNotEqualTo(logits(LLAMA.gguf("f32"), OPTIONS));
    try (var checkpoint = Checkpoint.open(LLAMA.gguf("f32"), other)) {
      assertThat(checkpoint.metadata().real("llama.rope.freq_base")).hasValue(77);
      assertThat(checkpoint.metadata().has("llama.block_count")).isTrue();
    }
  }

  @Test
  void keysThatNobodyReadsAreRefused() throws IOException {
    var transformers = new Config.Given(configuration());
    assertThatThrownBy(() -> Checkpoint.open(LLAMA.gguf("f32"), transformers))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("those of a GGUF file begin with one of [llama., ");
    assertThatThrownBy(() -> Checkpoint.open(LLAMA.gguf("f32"), new Config.Given("[]")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("the given configuration");
  }

  @ParameterizedTest
  @ValueSource(strings = {"f32", "bf16"})
  void expandedWeightsSayTheSame(String type) {
    var said = new ArrayList<String>();
    var options = OPTIONS.withDequantized(type).withListeners(said::add, stage -> {});
    // The kernels of packed weights round what they multiply with; the reference does not.
    var expected = logits(quantized(), OPTIONS.withBackend("reference"));
    var expanded = logits(quantized(), options.withBackend("reference"));
    assertThat(said).singleElement().asString().contains("MiB of memory");
    for (int i = 0; i < expected.length; i++) {
      assertThat(expanded[i])
          .isCloseTo(expected[i], Offset.offset(type.equals("f32") ? 1e-6f : 0.1f));
    }
    try (var model = LanguageModel.load(quantized(), options)) {
      assertThat(model.checkpoint().tensor("blk.0.attn_q.weight").orElseThrow().type())
          .isEqualTo(StorageType.valueOf(type.toUpperCase(Locale.ROOT)));
      assertThat(model.checkpoint().tensor("output_norm.weight").orElseThrow().type())
          .as("what takes no fewer bits stays")
          .isEqualTo(StorageType.F32);
    }
  }

  @Test
  void nothingElseIsExpandedTo() {
    assertThatThrownBy(() -> OPTIONS.withDequantized("q4_0"))
        .isInstanceOf(LoadException.class)
        .hasMessage("weights are dequantized to one of [f32, bf16], got q4_0");
  }

  @Test
  void afterAWarmUpNothingIsCompiled() {
    try (var model = LanguageModel.load(LLAMA.gguf("f32"), OPTIONS.warmed())) {
      int compiled = model.compilations();
      assertThat(compiled).isGreaterThan(1);
      model.generate(model.request(1, 2, 3).withMaxTokens(2).ignoringEnds());
      model.generate(model.request(new int[60]).withMaxTokens(2).ignoringEnds());
      assertThat(model.compilations()).isEqualTo(compiled);
    }
    var small = OPTIONS.warmed().withStateMemory(1);
    try (var model = LanguageModel.load(LLAMA.gguf("f32"), small)) {
      assertThat(model.compilations()).as("nothing fits").isZero();
    }
  }

  @Test
  void aCheckSaysWhatIsNeededAndWhatServes() {
    var check = Check.of(quantized(), OPTIONS);
    assertThat(check.family()).contains("Llama");
    assertThat(check.memory().weights()).isPositive();
    assertThat(check.memory().programs()).isPositive();
    assertThat(check.memory().text()).isPositive();
    assertThat(check.phases().get(Phase.DECODE).launches()).isNotEmpty();
    assertThat(check.memory().missing()).as("a small model").isEmpty();
    var tiny = Check.of(quantized(), OPTIONS.withStateMemory(1));
    assertThat(tiny.memory().fitting()).isZero();
    assertThat(tiny.memory().missing())
        .hasValueSatisfying(s -> assertThat(s).contains("are available", "--memory 1M"));
  }

  @Test
  void aContextBeyondTheModelsIsWarnedOf() {
    var said = new ArrayList<String>();
    var options = OPTIONS.withContextLength(1 << 20).withListeners(said::add, stage -> {});
    LanguageModel.load(LLAMA.gguf("f32"), options).close();
    assertThat(said).singleElement().asString().contains("the model was made for");
  }
}
