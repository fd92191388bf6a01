package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import weft.image.Reel;

/** What Transformers sees of the same video, by the same towers, from both formats. */
class FilmTest {
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
      var expected = new SeenGolden(arrays, "features", "");
      expected.requireRows(moments.stream().map(Glimpse::seen).toList());
      var prompt = PicturedText.of(sight, ids(golden.path("prompt")), List.of(video));
      assertThat(sight.watch(Reel.of(video.files(), video.perSecond())))
          .as("seen once")
          .isEqualTo(moments);
      var greedy = ids(golden.path("greedy"));
      expected.requireText(model.model(), prompt.tokens(), prompt.album(), greedy);
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
}
