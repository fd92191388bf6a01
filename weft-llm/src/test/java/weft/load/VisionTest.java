package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.format.Checkpoint;
import weft.format.GgufWriter;
import weft.generate.Album;
import weft.generate.Model;
import weft.generate.Seen;
import weft.generate.Tap;
import weft.image.Picture;
import weft.image.Pictures;
import weft.image.Resampling;
import weft.quant.StorageType;

/** What Transformers sees of the same pictures, by the same towers, from both formats. */
class VisionTest {
  /** The token that stands for a row of a picture in the goldens' prompts. */
  private static final int PLACEHOLDER = 259;

  static List<Arguments> towers() {
    var out = new ArrayList<Arguments>();
    for (var family : List.of("qwen3-vl", "qwen35-vl")) {
      var golden = new Golden(family);
      var folder = golden.transformers();
      var file = golden.gguf("f32");
      out.add(Arguments.of(golden, folder, "reference"));
      out.add(Arguments.of(golden, folder, "cpu"));
      out.add(Arguments.of(golden, file, "cpu"));
      out.add(Arguments.of(golden, file, "foreign"));
    }
    return out;
  }

  static LanguageModel load(Path file, String backend) {
    return LanguageModel.load(file, LoadOptions.standard().withBackend(backend).withThreads(2));
  }

  /** As large as the processor of the goldens makes it, for GGUF files say nothing of that. */
  static Picture picture(Golden golden, int index) {
    try {
      var file = golden.transformers().resolve("image" + index + ".png");
      var picture = Pictures.read(Files.readAllBytes(file));
      return index == 0 ? picture : Resampling.BICUBIC.resize(picture, 32, 48);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The prompt with the picture's rows in the place of those that are kept for it. */
  static int[] shown(int[] prompt, Seen seen) {
    assertThat(Arrays.stream(prompt).filter(t -> t == PLACEHOLDER)).hasSize(seen.count());
    return Arrays.stream(prompt).map(t -> t == PLACEHOLDER ? seen.id() : t).toArray();
  }

  @ParameterizedTest(name = "{1} on {2}")
  @MethodSource("towers")
  void featuresLogitsAndTokensAreThoseOfTransformers(Golden golden, Path file, String backend) {
    try (var model = load(file, backend)) {
      check(golden, model);
    }
  }

  /** The tower is cut as its model is. */
  @ParameterizedTest(name = "{1} on two of {2}")
  @MethodSource("towers")
  void twoDevicesSeeTheSame(Golden golden, Path file, String backend) {
    var options = LoadOptions.standard().withBackend(backend).withThreads(2);
    try (var model = LanguageModel.load(file, options.withDevices(List.of(0, 0)))) {
      check(golden, model);
    }
  }

  /** A picture of the last one's size compiles nothing, and is seen as by a program of its own. */
  @Test
  void picturesOfOneSizeShareTheirPrograms() {
    var golden = new Golden("qwen3-vl");
    var compiled = new ArrayList<String>();
    var options =
        LoadOptions.standard()
            .withBackend("cpu")
            .withThreads(2)
            .withListeners(
                warning -> {},
                said -> {
                  if (said.startsWith("compiling")) compiled.add(said);
                });
    var first = picture(golden, 0);
    var other = Resampling.BICUBIC.resize(picture(golden, 1), first.width(), first.height());
    var taller = Resampling.BICUBIC.resize(first, first.width(), first.height() * 2);
    float[] expected;
    try (var model = load(golden.gguf("f32"), "cpu")) {
      expected = model.sight().orElseThrow().see(other).rows().features();
    }
    try (var model = LanguageModel.load(golden.gguf("f32"), options)) {
      var sight = model.sight().orElseThrow();
      compiled.clear();
      sight.see(first);
      assertThat(compiled).hasSize(2);
      assertThat(sight.see(other).rows().features()).isEqualTo(expected);
      assertThat(compiled).hasSize(2);
      sight.see(taller);
      assertThat(compiled).hasSize(4);
    }
  }

  private static void check(Golden golden, LanguageModel model) {
    try (var arrays = golden.arrays()) {
      for (var c : golden.cases()) {
        var seen = model.sight().orElseThrow().see(picture(golden, c.index()));
        var expected = expected(arrays, c.index());
        expected.requireRows(List.of(seen));
        var album = Album.of(List.of(seen));
        expected.requireText(model.model(), shown(c.prompt(), seen), album, c.greedy());
      }
    }
  }

  private static SeenGolden expected(Checkpoint arrays, int index) {
    return new SeenGolden(arrays, index + ".image_features", index + ".");
  }

  @Test
  void lookingIsMeasuredApartFromText() {
    var golden = new Golden("qwen35-vl");
    try (var model = load(golden.transformers(), "cpu")) {
      var trace = model.trace();
      model.sight().orElseThrow().see(picture(golden, 0));
      var looking = trace.looks().summary(Phase.PREFILL);
      assertThat(looking.steps()).isEqualTo(2);
      assertThat(looking.rows()).anyMatch(row -> row.work().operations() > 0);
      assertThat(trace.summary(Phase.PREFILL).steps()).isZero();
    }
  }

  @Test
  void theSamePictureIsLookedAtOnceAndOthersApart() {
    var golden = new Golden("qwen35-vl");
    try (var model = load(golden.transformers(), "cpu")) {
      var sight = model.sight().orElseThrow();
      var seen = sight.see(picture(golden, 0));
      assertThat(sight.see(picture(golden, 0))).isSameAs(seen);
      var other = sight.see(picture(golden, 1));
      assertThat(other.id()).isNotEqualTo(seen.id());
      assertThat(model.model().takes(seen)).isTrue();
    }
  }

  @Test
  void severalPicturesOfAPromptAreReadAsTheReferenceReadsThem() {
    var golden = new Golden("qwen3-vl");
    var rows = new ArrayList<float[]>();
    for (var backend : List.of("reference", "cpu")) {
      try (var model = load(golden.transformers(), backend);
          var session = model.model().open()) {
        var sight = model.sight().orElseThrow();
        var seen = List.of(sight.see(picture(golden, 0)), sight.see(picture(golden, 1)));
        var prompt = new ArrayList<Integer>(List.of(5, 9));
        for (var each : List.of(seen.get(0), seen.get(1), seen.get(0))) {
          prompt.add(260);
          for (int i = 0; i < each.count(); i++) prompt.add(each.id());
          prompt.addAll(List.of(261, 40));
        }
        var tokens = prompt.stream().mapToInt(Integer::intValue).toArray();
        var step = new Model.Step(session, tokens, 1, 0, Tap.NONE, List.of(), Album.of(seen));
        rows.add(model.model().forward(List.of(step)).getFirst()[0].toArray());
      }
    }
    for (int i = 0; i < rows.get(0).length; i++) {
      assertThat(rows.get(1)[i]).isCloseTo(rows.get(0)[i], within((float) SeenGolden.TOLERANCE));
    }
  }

  /** Rounded weights move features by as much as they are rounded. */
  @ParameterizedTest
  @CsvSource({"F16, 0.02", "BF16, 0.1", "Q8_0, 0.1"})
  void roundedTowersSeeNearlyTheSame(StorageType type, double most, @TempDir Path folder) {
    var golden = new Golden("qwen3-vl");
    var tower = folder.resolve("mmproj.gguf");
    rounded(Golden.folder().resolve("gguf/mmproj-qwen3-vl-f32.gguf"), type, tower);
    var options = LoadOptions.standard().withThreads(1).withTower(tower);
    try (var model = LanguageModel.load(golden.gguf("f32"), options);
        var arrays = golden.arrays()) {
      var seen = model.sight().orElseThrow().see(picture(golden, 0));
      var expected = Golden.read(arrays, "0.image_features");
      for (int i = 0; i < expected.length; i++) {
        assertThat((double) seen.rows().features()[i]).isCloseTo(expected[i], within(most));
      }
    }
  }

  /** The same file with its matrices stored otherwise. */
  private static void rounded(Path from, StorageType type, Path to) {
    try (var file = Checkpoint.open(from)) {
      var writer = new GgufWriter();
      file.metadata().entries().forEach(writer::put);
      file.tensors()
          .forEach(
              (name, tensor) -> {
                boolean isMatrix =
                    tensor.shape().size() == 2 && !name.equals("v.position_embd.weight");
                var values = new float[Math.toIntExact(tensor.values())];
                tensor.encoding().decode(tensor.bytes(), 0, values, 0, values.length);
                var stored = isMatrix ? type : StorageType.F32;
                writer.tensor(
                    name,
                    stored,
                    tensor.shape(),
                    bytes ->
                        stored.encoding().orElseThrow().encode(values, 0, values.length, bytes, 0));
              });
      writer.write(to);
    }
  }

  @Test
  void ofSeveralTowersBesideAModelNoneIsTakenUnlessOneIsNamed(@TempDir Path folder)
      throws IOException {
    var golden = new Golden("qwen3-vl");
    var tower = Golden.folder().resolve("gguf/mmproj-qwen3-vl-f32.gguf");
    var model = Files.copy(golden.gguf("f32"), folder.resolve("model.gguf"));
    Files.copy(tower, folder.resolve("mmproj-one.gguf"));
    assertThat(sees(model)).isTrue();
    // Another model's is not in the way, nor is a file that is none.
    Files.copy(golden.gguf("f32"), folder.resolve("mmproj-none.gguf"));
    Files.writeString(folder.resolve("mmproj-text.gguf"), "text");
    assertThat(sees(model)).isTrue();
    Files.copy(tower, folder.resolve("mmproj-two.gguf"));
    var warnings = new ArrayList<String>();
    try (var loaded =
        LanguageModel.load(
            model, LoadOptions.standard().withListeners(warnings::add, progress -> {}))) {
      assertThat(loaded.sight()).isEmpty();
    }
    assertThat(warnings).anyMatch(w -> w.contains("mmproj-one.gguf") && w.contains("--mmproj"));
    Files.copy(tower, folder.resolve("mmproj-model.gguf"));
    assertThat(sees(model)).isTrue();
  }

  private static boolean sees(Path model) {
    try (var loaded = LanguageModel.load(model, LoadOptions.standard().withThreads(1))) {
      return loaded.sight().isPresent();
    }
  }

  @Test
  void aTowerOfAnotherModelIsRefused() {
    var tower = Golden.folder().resolve("gguf/mmproj-qwen3-vl-f32.gguf");
    var options = LoadOptions.standard().withTower(tower);
    assertThatThrownBy(() -> LanguageModel.load(new Golden("qwen2").gguf("f32"), options))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("mmproj-qwen3-vl-f32.gguf sees for Qwen3-VL models");
    var text = new Golden("qwen3-vl").gguf("f32");
    assertThatThrownBy(() -> LanguageModel.load(text, LoadOptions.standard().withTower(text)))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("is no vision tower that weft knows");
  }

  @Test
  void aTowerThatGivesAnotherTextsLayersIsRefused() {
    var tower = Golden.folder().resolve("gguf/mmproj-qwen35-vl-f32.gguf");
    var options = LoadOptions.standard().withTower(tower);
    assertThatThrownBy(() -> LanguageModel.load(new Golden("qwen3-vl").gguf("f32"), options))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("adds to 0 layers of a text")
        .hasMessageContaining("takes that at 2");
  }

  /** Texts may have all the memory that there is for texts. */
  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu", "foreign"})
  void aPictureIsSeenWhateverTextsHold(String backend) {
    var golden = new Golden("qwen3-vl");
    var options = LoadOptions.standard().withBackend(backend).withStateMemory(1000);
    try (var model = LanguageModel.load(golden.transformers(), options);
        var arrays = golden.arrays()) {
      var seen = model.sight().orElseThrow().see(picture(golden, 0));
      expected(arrays, 0).requireRows(List.of(seen));
    }
  }

  /** As the Hub's folders call it, and as Transformers 5 saves it. */
  @ParameterizedTest
  @ValueSource(strings = {"qwen3_5", "qwen3_5_vision", "qwen3_5_moe", "qwen3_5_moe_vision"})
  void aTowerIsKnownByEveryNameOfItsType(String type, @TempDir Path folder) throws IOException {
    var golden = new Golden("qwen35-vl").transformers();
    Files.copy(golden.resolve("model.safetensors"), folder.resolve("model.safetensors"));
    var config = Files.readString(golden.resolve("config.json"));
    Files.writeString(
        folder.resolve("config.json"),
        config.replace("\"model_type\": \"qwen3_5_vision\"", "\"model_type\": \"" + type + "\""));
    assertThat(sees(folder)).isTrue();
  }

  @Test
  void aFolderWhoseTowerIsNoneStillHasItsText(@TempDir Path folder) throws IOException {
    var golden = new Golden("qwen3-vl");
    Files.copy(
        golden.transformers().resolve("model.safetensors"), folder.resolve("model.safetensors"));
    var config = Files.readString(golden.transformers().resolve("config.json"));
    Files.writeString(
        folder.resolve("config.json"), config.replace("\"patch_size\": 8", "\"patch_size\": 7"));
    var warnings = new ArrayList<String>();
    var options = LoadOptions.standard().withListeners(warnings::add, progress -> {});
    try (var model = LanguageModel.load(folder, options)) {
      assertThat(model.sight()).isEmpty();
      assertThat(model.generate(model.bare(1, 2).withMaxTokens(2)).tokens()).hasSize(2);
    }
    assertThat(warnings).anyMatch(w -> w.startsWith("the model sees no pictures: "));
  }
}
