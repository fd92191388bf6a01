package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.format.Checkpoint;
import weft.generate.Album;
import weft.generate.Model;
import weft.generate.Seen;
import weft.generate.Tap;
import weft.image.Picture;
import weft.image.Pictures;
import weft.image.Resampling;

/** What Transformers sees of the same pictures, by the same towers, from both formats. */
class VisionTest {
  private static final double TOLERANCE = 1e-3;

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
    try (var model = load(file, backend);
        var arrays = golden.arrays()) {
      for (var c : golden.cases()) {
        var seen = model.sight().orElseThrow().see(picture(golden, c.index()));
        close(arrays, c.index() + ".image_features", seen.rows().features());
        for (int i = 0; i < seen.rows().deep().size(); i++) {
          close(arrays, c.index() + ".deepstack." + i, seen.rows().deep().get(i));
        }
        var prompt = shown(c.prompt(), seen);
        close(arrays, c.index() + ".logits", logits(model.model(), prompt, seen, 3));
        assertThat(greedy(model.model(), prompt, seen, c.greedy().length)).isEqualTo(c.greedy());
      }
    }
  }

  private static void close(Checkpoint arrays, String name, float[] met) {
    var expected = Golden.read(arrays, name);
    assertThat(met).as(name).hasSameSizeAs(expected);
    double farthest = 0;
    for (int i = 0; i < met.length; i++) {
      farthest = Math.max(farthest, Math.abs(met[i] - expected[i]));
    }
    assertThat(farthest).as(name).isLessThan(TOLERANCE);
  }

  private static float[] logits(Model model, int[] prompt, Seen seen, int count) {
    try (var session = model.open()) {
      var step =
          new Model.Step(session, prompt, count, 0, Tap.NONE, List.of(), Album.of(List.of(seen)));
      var rows = model.forward(List.of(step)).getFirst();
      var out = new float[count * model.vocabularySize()];
      for (int i = 0; i < count; i++) {
        System.arraycopy(
            rows[i].toArray(), 0, out, i * model.vocabularySize(), model.vocabularySize());
      }
      return out;
    }
  }

  private static int[] greedy(Model model, int[] prompt, Seen seen, int count) {
    var out = new int[count];
    try (var session = model.open()) {
      var tokens = prompt;
      for (int i = 0; i < count; i++) {
        var album = Album.of(List.of(seen));
        var step = new Model.Step(session, tokens, 1, 0, Tap.NONE, List.of(), album);
        var logits = model.forward(List.of(step)).getFirst()[0].toArray();
        out[i] =
            IntStream.range(0, logits.length)
                .reduce((a, b) -> logits[b] > logits[a] ? b : a)
                .orElseThrow();
        tokens = new int[] {out[i]};
      }
    }
    return out;
  }
}
