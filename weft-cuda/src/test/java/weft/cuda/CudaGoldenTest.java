package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import weft.chat.Part;
import weft.chat.PicturedText;
import weft.format.Checkpoint;
import weft.generate.Engine;
import weft.generate.Model;
import weft.generate.Request;
import weft.generate.Tap;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** Whole models of every family against what Transformers computes for the same weights. */
class CudaGoldenTest {
  /** Float32 weights, keys and values; sums in another order. */
  private static final float TOLERANCE = 2e-4f;

  /** Of features and what follows from them. */
  private static final float PICTURE_TOLERANCE = 1e-3f;

  /** Transformers leaves the soft cap on scores out, which moves logits this little. */
  private static final float CAP_TOLERANCE = 3e-3f;

  /** Below this lead of the first token over the second, a last bit may swap them. */
  private static final double CLEAR_MARGIN = 1e-3;

  static final Path GOLDEN =
      Path.of(System.getProperty("weft.golden", "../weft-llm/src/test/resources/golden"));

  /** Goldens with pictures. */
  static final List<String> PICTURED = List.of("qwen3-vl", "qwen35-vl");

  static List<Path> families() throws Exception {
    var all = new ArrayList<Path>();
    for (var group : List.of("hf", "options")) {
      try (Stream<Path> folders = Files.list(GOLDEN.resolve(group))) {
        folders
            .filter(f -> Files.exists(f.resolve("golden.json")) && isText(f))
            .sorted()
            .forEach(all::add);
      }
    }
    return KitSettings.chosen(all, 1);
  }

  /** Heads that foretell are other tests' matter. */
  private static boolean isText(Path family) {
    var name = family.getFileName().toString();
    return !name.endsWith("-mtp") && !name.endsWith("-vl");
  }

  @ParameterizedTest
  @MethodSource("families")
  void givesTheLogitsAndTokens(Path family) {
    check(family, List.of(0));
  }

  /** Two queues and two shares of memory on one card. */
  @ParameterizedTest
  @MethodSource("families")
  void givesThemOnAMeshOfTwo(Path family) {
    check(family, List.of(0, 0));
  }

  private static void check(Path family, List<Integer> devices) {
    boolean isCapped = family.getFileName().toString().startsWith("gemma2");
    float tolerance = isCapped ? CAP_TOLERANCE : TOLERANCE;
    var options = LoadOptions.standard().withBackend(KitSettings.backend()).withDevices(devices);
    var cases = new ObjectMapper().readTree(family.resolve("golden.json").toFile()).get("cases");
    try (var model = LanguageModel.load(family, options);
        var arrays = Checkpoint.open(family.resolve("golden.safetensors"))) {
      for (int i = 0; i < cases.size(); i++) {
        var prompt = Request.of(numbers(cases.get(i), "prompt"));
        checkLogits(model, arrays, i, prompt, tolerance);
        if (!KitSettings.hasTime()) break;
        checkTokens(model, cases.get(i));
      }
    }
  }

  /** The tower and the text behind it, on the first picture of each golden that has some. */
  @ParameterizedTest
  @FieldSource("PICTURED")
  void givesTheLogitsOfAPicture(String name) throws IOException {
    var family = GOLDEN.resolve("hf").resolve(name);
    var options = LoadOptions.standard().withBackend(KitSettings.backend());
    var first = new ObjectMapper().readTree(family.resolve("golden.json").toFile()).at("/cases/0");
    var image = Files.readAllBytes(family.resolve(first.path("image").stringValue()));
    try (var model = LanguageModel.load(family, options);
        var arrays = Checkpoint.open(family.resolve("golden.safetensors"))) {
      var shown =
          PicturedText.of(
              model.sight().orElseThrow(),
              numbers(first, "prompt"),
              List.of(new Part.Image(image, name)));
      var prompt = Request.of(shown.tokens()).withAlbum(shown.album());
      checkLogits(model, arrays, 0, prompt, PICTURE_TOLERANCE);
    }
  }

  private static int[] numbers(JsonNode c, String name) {
    return c.path(name).valueStream().mapToInt(JsonNode::asInt).toArray();
  }

  private static void checkLogits(
      LanguageModel model, Checkpoint arrays, int index, Request prompt, float tolerance) {
    var tensor = arrays.tensor(index + ".logits").orElseThrow();
    var expected = new float[Math.toIntExact(tensor.values())];
    tensor.encoding().decode(tensor.bytes(), 0, expected, 0, expected.length);
    int width = model.model().vocabularySize();
    int rows = expected.length / width;
    try (var session = model.model().open()) {
      var step =
          new Model.Step(session, prompt.prompt(), rows, 0, Tap.NONE, List.of(), prompt.album());
      var logits = model.model().forward(List.of(step)).getFirst();
      for (int row = 0; row < rows; row++) {
        assertThat(logits[row].toArray())
            .as("case %d, row %d", index, row)
            .containsExactly(
                Arrays.copyOfRange(expected, row * width, (row + 1) * width),
                Offset.offset(tolerance));
      }
    }
  }

  private static void checkTokens(LanguageModel model, JsonNode c) {
    int[] greedy = numbers(c, "greedy");
    int clear = 0;
    for (var margin : c.path("margins")) {
      if (margin.asDouble() < CLEAR_MARGIN) break;
      clear++;
    }
    try (var engine = Engine.start(model.model())) {
      var reply = engine.generate(Request.of(numbers(c, "prompt")).withMaxTokens(greedy.length));
      assertThat(Arrays.copyOf(reply.tokens(), clear)).isEqualTo(Arrays.copyOf(greedy, clear));
    }
  }
}
