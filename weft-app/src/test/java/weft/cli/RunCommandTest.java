package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunCommandTest {
  private static final String FOLDER = Cli.golden("hf/llama-untied");
  private static final String GGUF = Cli.golden("gguf/llama-untied-f32.gguf");

  private static JsonNode golden(int index) {
    return new JsonMapper()
        .readTree(Path.of(FOLDER, "golden.json").toFile())
        .get("cases")
        .get(index);
  }

  private static List<Integer> ints(JsonNode array) {
    var out = new ArrayList<Integer>();
    array.forEach(n -> out.add(n.intValue()));
    return out;
  }

  private static String joined(JsonNode ids) {
    return String.join(",", ints(ids).stream().map(String::valueOf).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"map", "copy", "lock"})
  void howTheWeightsAreHadChangesNoToken(String loading) {
    var wanted = golden(1);
    var prompt = joined(wanted.get("prompt"));
    var options =
        new String[] {"--max-tokens", "8", "--temperature", "0", "--ignore-eos", "--json"};
    var command =
        Stream.concat(
                Stream.of("run", GGUF, "--tokens", prompt, "--load", loading),
                Arrays.stream(options))
            .toArray(String[]::new);
    var result = Cli.run(command);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(ints(result.json().get("tokens")))
        .isEqualTo(ints(wanted.get("greedy")).subList(0, 8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--speculate lookup:4",
        "--speculate auto",
        "--draft prompt-lookup:4",
        "--speculate none"
      })
  void guessingAheadChangesNoToken(String how) {
    var wanted = golden(1);
    var line = "run MODEL --tokens IDS --max-tokens 24 --temperature 0 --ignore-eos --json " + how;
    var result =
        Cli.run(
            line.replace("MODEL", GGUF).replace("IDS", joined(wanted.get("prompt"))).split(" "));
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(ints(result.json().get("tokens")))
        .isEqualTo(ints(wanted.get("greedy")).subList(0, 24));
    var usage = result.json().get("usage");
    assertThat(usage.get("completion_tokens").intValue()).isEqualTo(24);
    assertThat(usage.get("accepted").intValue())
        .isBetween(0, usage.get("drafted").intValue())
        .isGreaterThanOrEqualTo(24 - usage.get("forwards").intValue());
  }

  @Test
  void aHeadThatIsNotThereIsMissed() {
    var result = Cli.run("run", GGUF, "--tokens", "1", "--speculate", "mtp");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("has no head for multi-token prediction");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "reference"})
  void printsTheTokensThatTransformersGenerates(String backend) {
    var wanted = golden(1);
    for (var model : new String[] {FOLDER, GGUF}) {
      var result =
          Cli.run(
              "run",
              model,
              "--tokens",
              joined(wanted.get("prompt")),
              "--max-tokens",
              "8",
              "--temperature",
              "0",
              "--ignore-eos",
              "--backend",
              backend,
              "--json");
      assertThat(result.status()).as(result.err()).isZero();
      assertThat(ints(result.json().get("tokens")))
          .isEqualTo(ints(wanted.get("greedy")).subList(0, 8));
    }
  }

  @Test
  void severalDevicesGiveTheTokensOfOne() {
    var args = List.of("run", GGUF, "--tokens", "1,5", "--max-tokens", "12", "--temperature", "0");
    var one = Stream.concat(args.stream(), Stream.of("--backend", "cpu", "--json")).toList();
    var two = Stream.concat(one.stream(), Stream.of("--devices", "0,0")).toList();
    assertThat(Cli.run(two.toArray(String[]::new)).json().get("tokens"))
        .isEqualTo(Cli.run(one.toArray(String[]::new)).json().get("tokens"));
    var missing = Cli.run("run", GGUF, "--tokens", "1", "--backend", "cpu", "--devices", "0,1");
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err()).contains("the cpu backend has one device, device 0");
  }

  @Test
  void theDocumentHasItsFieldsInTheirOrder() {
    var result =
        Cli.run("run", GGUF, "--tokens", "1,5", "--max-tokens", "3", "--ignore-eos", "--json");
    var document = result.json();
    assertThat(document.propertyNames())
        .containsExactly("tokens", "text", "finish_reason", "timings", "usage");
    assertThat(document.get("timings").propertyNames())
        .containsExactly("load_ms", "prefill_tokens", "prefill_ms", "decode_tokens", "decode_ms");
    assertThat(document.get("finish_reason").stringValue()).isEqualTo("length");
    assertThat(document.get("timings").get("prefill_tokens").intValue()).isEqualTo(2);
    assertThat(document.get("timings").get("decode_tokens").intValue()).isEqualTo(2);
  }

  @Test
  void theSameSeedGivesTheSameTokens() {
    String[] args = {
      "run", GGUF, "--tokens", "1,5", "--max-tokens", "12", "--seed", "7", "--ignore-eos", "--json"
    };
    assertThat(Cli.run(args).json().get("tokens")).isEqualTo(Cli.run(args).json().get("tokens"));
  }

  @Test
  void recomputationGivesTheSameTokens() {
    String[] args = {
      "run", GGUF, "--tokens", "9,8,7", "--max-tokens", "6", "--temperature=0", "--json"
    };
    var slow = new ArrayList<>(List.of(args));
    slow.add("--no-cache");
    assertThat(Cli.run(slow.toArray(String[]::new)).json().get("tokens"))
        .isEqualTo(Cli.run(args).json().get("tokens"));
  }

  @Test
  void aPromptBeyondTheContextNamesBothNumbers() {
    var result = Cli.run("run", GGUF, "--tokens", "1,2,3,4,5", "--context", "4");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("5 tokens").contains("holds 4");
  }

  @Test
  void aTextPromptWithoutATokenizerIsAClearError() {
    var result = Cli.run("run", FOLDER, "-p", "hello");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("there is no tokenizer at").contains("tokenizer.json");
  }

  @Test
  void aPlainPromptForAModelThatChatsSaysHowToChat() {
    var hint = "to ask it: weft chat -p TEXT";
    assertThat(Cli.run("run", "-p", "Hello", "--max-tokens=1").err()).contains(hint);
    assertThat(Cli.run("run", "-p", "<|im_start|>user\nHi", "--max-tokens=1").err())
        .doesNotContain(hint);
    assertThat(Cli.run("run", "--tokens=1,2", "--max-tokens=1").err()).doesNotContain(hint);
  }

  /** What Transformers says of the picture; the file's vocabulary has no name for placeholders. */
  @Test
  void aFileWithoutAPlaceholderTakesThemForEachRow() {
    var image = "--image=" + Cli.golden("hf/qwen3-vl") + "/image0.png";
    var tokens = "--tokens=5,9,260,259,259,259,259,259,259,261,40,41,7";
    var file = Cli.golden("gguf/qwen3-vl-f32.gguf");
    var result =
        Cli.run("run", file, image, tokens, "--temperature=0", "--max-tokens=12", "--json");
    assertThat(result.out().replaceAll("\\s", ""))
        .as(result.err())
        .contains("\"tokens\":[93,5,5,5,108,105,124,105,102,105,102,105]");
    var logits = Cli.run("logits", file, image, tokens, "--json").json().get("logits");
    assertThat(greatest(logits)).isEqualTo(93);
    assertThat(Cli.run("run", file, image, "-p", "Hi").err())
        .contains("the vocabulary has no <|image_pad|>");
  }

  /** What Transformers says of the video, of whose ten frames it takes five. */
  @Test
  void aFolderOfFramesIsAVideo(@TempDir Path folder) throws IOException {
    var film = Path.of("../weft-llm/src/test/resources/golden/film");
    for (int i = 0; i < 10; i++) {
      // Of numbers the tenth comes last, whatever it is called.
      Files.copy(
          film.resolve("frame%02d.png".formatted(i)), folder.resolve("f%d.png".formatted(i + 5)));
    }
    var golden = JsonMapper.shared().readTree(Files.readString(film.resolve("qwen3-vl.json")));
    var result =
        Cli.run(
            "run",
            Cli.golden("gguf/qwen3-vl-f32.gguf"),
            "--video=" + folder,
            "--fps=4",
            "--tokens=" + golden.get("prompt").toString().replaceAll("[\\[\\] ]", ""),
            "--temperature=0",
            "--max-tokens=12",
            "--json");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out().replaceAll("\\s", "")).contains("\"tokens\":" + golden.get("greedy"));
  }

  /** A prompt without a place for them is refused by how many rows each has. */
  @Test
  void picturesAndVideosAreShownInTheOrderOfTheirOptions(@TempDir Path folder, @TempDir Path other)
      throws IOException {
    var film = Path.of("../weft-llm/src/test/resources/golden/film");
    for (int i = 0; i < 2; i++) {
      Files.copy(film.resolve("frame0%d.png".formatted(i)), folder.resolve(i + ".png"));
    }
    var model = Cli.golden("gguf/qwen3-vl-f32.gguf");
    var wide = "--image=" + Cli.golden("hf/qwen3-vl") + "/image0.png";
    var square = "--image=" + picture(other.resolve("square.png"), 32, 32);
    var video = "--video=" + folder;
    assertThat(Cli.run("run", model, "--tokens=5", video, square, video, wide, square).err())
        .contains("[6, 4, 6, 6, 4]");
    assertThat(Cli.run("logits", model, "--tokens=5", square, wide, video, square).err())
        .contains("[4, 6, 6, 4]");
  }

  private static Path picture(Path file, int width, int height) throws IOException {
    ImageIO.write(
        new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    return file;
  }

  private static int greatest(JsonNode numbers) {
    int greatest = 0;
    for (int i = 1; i < numbers.size(); i++) {
      if (numbers.get(i).doubleValue() > numbers.get(greatest).doubleValue()) greatest = i;
    }
    return greatest;
  }

  /** What Transformers says of the picture, from a folder without a tokenizer. */
  @Test
  void aPictureIsShownAtItsPlaceholders() {
    var golden = "../weft-llm/src/test/resources/golden/hf/qwen3-vl";
    for (var rows : new String[] {"259", "259,259,259,259,259,259"}) {
      var result =
          Cli.run(
              "run",
              golden,
              "--image=" + golden + "/image0.png",
              "--tokens=5,9,260," + rows + ",261,40,41,7",
              "--temperature=0",
              "--max-tokens=12",
              "--json");
      assertThat(result.status()).as(result.err()).isZero();
      assertThat(result.out().replaceAll("\\s", ""))
          .contains("\"tokens\":[93,5,5,5,108,105,124,105,102,105,102,105]")
          .contains("\"prompt_tokens\":13");
    }
    var none = Cli.run("run", golden, "--image=" + golden + "/image0.png", "--tokens=5,9");
    assertThat(none.err())
        .contains("the prompt has token 259 0 times; the images want it once each (1 times)");
  }
}
