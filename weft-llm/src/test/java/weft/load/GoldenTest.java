package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import weft.format.Checkpoint;
import weft.generate.Generator;
import weft.generate.Request;

/**
 * What Hugging Face Transformers computes for the same weights, from both formats, on both
 * backends.
 */
class GoldenTest {
  private static final float LOGIT_TOLERANCE = 2e-4f;

  /** Below this lead of the first token over the second, a last-bit difference may swap them. */
  private static final double CLEAR_MARGIN = 1e-3;

  private record Case(int index, int[] prompt, int[] greedy, double[] margins) {}

  private static Path golden(String name) {
    return Path.of("src/test/resources/golden").resolve(name);
  }

  private static List<Case> cases(String family) throws Exception {
    var out = new ArrayList<Case>();
    JsonNode json = new ObjectMapper().readTree(golden("hf/" + family + "/golden.json").toFile());
    for (var c : json.get("cases")) {
      out.add(
          new Case(
              out.size(), ints(c.get("prompt")), ints(c.get("greedy")), doubles(c.get("margins"))));
    }
    return out;
  }

  private static int[] ints(JsonNode array) {
    var out = new int[array.size()];
    for (int i = 0; i < out.length; i++) out[i] = array.get(i).asInt();
    return out;
  }

  private static double[] doubles(JsonNode array) {
    var out = new double[array.size()];
    for (int i = 0; i < out.length; i++) out[i] = array.get(i).asDouble();
    return out;
  }

  private static float[] stored(Checkpoint goldens, String name) {
    var tensor = goldens.tensor(name).orElseThrow();
    var out = new float[Math.toIntExact(tensor.values())];
    tensor.encoding().decode(tensor.bytes(), 0, out, 0, out.length);
    return out;
  }

  @ParameterizedTest(name = "{0} from {1} on {2}")
  @CsvSource({
    "llama-untied, hf/llama-untied, reference",
    "llama-untied, hf/llama-untied, cpu",
    "llama-untied, gguf/llama-untied-f32.gguf, reference",
    "llama-untied, gguf/llama-untied-f32.gguf, cpu",
    "llama32-tied-llama3rope, hf/llama32-tied-llama3rope, reference",
    "llama32-tied-llama3rope, hf/llama32-tied-llama3rope, cpu",
    "llama32-tied-llama3rope, gguf/llama32-tied-llama3rope-f32.gguf, reference",
    "llama32-tied-llama3rope, gguf/llama32-tied-llama3rope-f32.gguf, cpu",
    "llama-bias-mha, hf/llama-bias-mha, reference",
    "llama-bias-mha, hf/llama-bias-mha, cpu",
    "llama-bias-mha, gguf/llama-bias-mha-f32.gguf, reference",
    "llama-bias-mha, gguf/llama-bias-mha-f32.gguf, cpu",
    "mistral-sliding, hf/mistral-sliding, reference",
    "mistral-sliding, hf/mistral-sliding, cpu",
  })
  void givesTheLogitsHiddenStatesAndTokens(String family, String file, String backend)
      throws Exception {
    try (var model = LanguageModel.load(golden(file), LoadOptions.standard().withBackend(backend));
        var goldens = Checkpoint.open(golden("hf/" + family + "/golden.safetensors"))) {
      for (var c : cases(family)) {
        checkLogits(model, goldens, c);
        checkTokens(model, c);
      }
      checkHidden(model, goldens, cases(family).get(1));
    }
  }

  private static void checkLogits(LanguageModel model, Checkpoint goldens, Case c) {
    var expected = stored(goldens, c.index + ".logits");
    int vocabulary = model.model().vocabularySize();
    int rows = expected.length / vocabulary;
    try (var session = model.model().open()) {
      var step = new weft.generate.Model.Step(session, c.prompt, rows);
      var got = model.model().forward(List.of(step)).getFirst();
      for (int r = 0; r < rows; r++) {
        for (int i = 0; i < vocabulary; i++) {
          assertThat(got[r][i])
              .as("case %d row %d logit %d", c.index, r, i)
              .isCloseTo(expected[r * vocabulary + i], Offset.offset(LOGIT_TOLERANCE));
        }
      }
    }
  }

  private static void checkTokens(LanguageModel model, Case c) {
    int clear = 0;
    while (clear < c.margins.length && c.margins[clear] >= CLEAR_MARGIN) clear++;
    try (var generator = new Generator(model.model())) {
      var reply = generator.generate(Request.of(c.prompt).withMaxTokens(c.greedy.length));
      assertThat(Arrays.copyOf(reply.tokens(), clear))
          .as("case %d", c.index)
          .isEqualTo(Arrays.copyOf(c.greedy, clear));
    }
  }

  private static void checkHidden(LanguageModel model, Checkpoint goldens, Case c) {
    var taps = new LinkedHashMap<String, float[]>();
    model.compiled().hidden(c.prompt, (name, rows, width, values) -> taps.put(name, values));
    int layers = taps.size() - 2;
    // Transformers' last hidden state is the one after the final norm.
    taps.put("hidden." + layers, taps.remove("hidden.norm"));
    taps.forEach(
        (name, values) ->
            assertThat(values)
                .as(name)
                .containsExactly(stored(goldens, "1." + name), Offset.offset(LOGIT_TOLERANCE)));
  }
}
