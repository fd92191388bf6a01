package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.chat.Glimpse;
import weft.chat.Part;
import weft.chat.PicturedText;
import weft.format.Checkpoint;
import weft.generate.Album;
import weft.generate.Model;
import weft.generate.Tap;
import weft.image.Reel;

/** What Transformers sees of the same video, by the same towers, from both formats. */
class FilmTest {
  private static final double TOLERANCE = 1e-3;
  private static final Path FOLDER = Golden.folder().resolve("film");

  static List<Arguments> towers() {
    var out = new ArrayList<Arguments>();
    for (var family : List.of("qwen3-vl", "qwen35-vl")) {
      for (var backend : List.of("reference", "cpu")) {
        out.add(Arguments.of(family, "folder", backend));
      }
      out.add(Arguments.of(family, "gguf", "cpu"));
    }
    return out;
  }

  private static JsonNode golden(String family) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(FOLDER.resolve(family + ".json")));
  }

  private static int[] ids(JsonNode list) {
    return list.valueStream().mapToInt(JsonNode::intValue).toArray();
  }

  private static Part.Video video(JsonNode golden) throws IOException {
    var files = new ArrayList<byte[]>();
    for (int i = 0; i < golden.path("frames").intValue(); i++) {
      files.add(Files.readAllBytes(FOLDER.resolve("frame%02d.png".formatted(i))));
    }
    return new Part.Video(files, golden.path("fps").intValue(), "film");
  }

  /** The golden's folder with the settings of its video processor. */
  private static Path model(String family, String form, JsonNode golden, Path folder)
      throws IOException {
    var from = new Golden(family);
    if (form.equals("gguf")) return from.gguf("f32");
    for (var name : List.of("model.safetensors", "config.json", "preprocessor.json")) {
      Files.copy(from.transformers().resolve(name), folder.resolve(name));
    }
    Files.writeString(
        folder.resolve("video_preprocessor_config.json"),
        "{\"size\": %s}".formatted(golden.path("size")));
    return folder;
  }

  @ParameterizedTest(name = "{0} as {1} on {2}")
  @MethodSource("towers")
  void momentsLogitsAndTokensAreThoseOfTransformers(
      String family, String form, String backend, @TempDir Path folder) throws IOException {
    var golden = golden(family);
    var file = model(family, form, golden, folder);
    try (var model = VisionTest.load(file, backend);
        var arrays = Checkpoint.open(FOLDER.resolve(family + ".safetensors"))) {
      var sight = model.sight().orElseThrow();
      var video = video(golden);
      var moments = sight.watch(Reel.of(video.files(), video.perSecond()));
      assertThat(moments.stream().map(Glimpse::second)).containsExactly(0.25, 1.375, 2.25);
      close(arrays, "features", moments, -1);
      int deep = moments.getFirst().seen().rows().deep().size();
      for (int i = 0; i < deep; i++) close(arrays, "deepstack." + i, moments, i);
      var prompt = PicturedText.of(sight, ids(golden.path("prompt")), List.of(video));
      assertThat(sight.watch(Reel.of(video.files(), video.perSecond())))
          .as("seen once")
          .isEqualTo(moments);
      close(arrays, "logits", logits(model.model(), prompt.tokens(), prompt.album(), 3));
      int[] expected = ids(golden.path("greedy"));
      assertThat(greedy(model.model(), prompt.tokens(), prompt.album(), expected.length))
          .isEqualTo(expected);
    }
  }

  /** Frames see none but those of their own moment, so that a moment alone is the same. */
  @Test
  void aMomentIsSeenAsOnItsOwn() throws IOException {
    var video = video(golden("qwen3-vl"));
    try (var model = VisionTest.load(new Golden("qwen3-vl").gguf("f32"), "cpu")) {
      var sight = model.sight().orElseThrow();
      var two = sight.watch(Reel.of(video.files().subList(2, 4), 2));
      var four = sight.watch(Reel.of(video.files().subList(0, 4), 2));
      assertThat(four).hasSize(2);
      assertThat(four.getLast().seen().id()).isEqualTo(two.getFirst().seen().id());
      assertThat(four.getFirst().seen().id()).isNotEqualTo(two.getFirst().seen().id());
    }
  }

  private static void close(Checkpoint arrays, String name, List<Glimpse> moments, int deep) {
    var met = new ArrayList<Float>();
    for (var moment : moments) {
      var rows = moment.seen().rows();
      for (float each : deep < 0 ? rows.features() : rows.deep().get(deep)) met.add(each);
    }
    var all = new float[met.size()];
    for (int i = 0; i < all.length; i++) all[i] = met.get(i);
    close(arrays, name, all);
  }

  private static void close(Checkpoint arrays, String name, float[] met) {
    var expected = Golden.read(arrays, name);
    assertThat(met).as(name).hasSameSizeAs(expected);
    for (int i = 0; i < met.length; i++) {
      assertThat((double) met[i]).as(name).isCloseTo(expected[i], within(TOLERANCE));
    }
  }

  private static float[] logits(Model model, int[] prompt, Album album, int count) {
    try (var session = model.open()) {
      var step = new Model.Step(session, prompt, count, 0, Tap.NONE, List.of(), album);
      var rows = model.forward(List.of(step)).getFirst();
      var out = new float[count * model.vocabularySize()];
      for (int i = 0; i < count; i++) {
        System.arraycopy(
            rows[i].toArray(), 0, out, i * model.vocabularySize(), model.vocabularySize());
      }
      return out;
    }
  }

  private static int[] greedy(Model model, int[] prompt, Album album, int count) {
    var out = new int[count];
    try (var session = model.open()) {
      var tokens = prompt;
      for (int i = 0; i < count; i++) {
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
