package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cli.synth.Mix;
import weft.cli.synth.Shapes;
import weft.load.LanguageModel;

class SynthCommandTest {
  @TempDir Path folder;

  private Path synth(String shape, String type, String... more) {
    var file = folder.resolve(shape + "-" + type + String.join("", more) + ".gguf");
    var args =
        Stream.concat(
            Stream.of("synth", "--shape", shape, "--type", type, file.toString()), Stream.of(more));
    var result = Cli.run(args.toArray(String[]::new));
    assertThat(result.status()).as(result.err()).isZero();
    return file;
  }

  static Stream<String> tinyShapes() {
    return Shapes.names().stream().filter(name -> name.startsWith("tiny-"));
  }

  static Stream<String> types() {
    return Mix.names().stream();
  }

  @ParameterizedTest
  @MethodSource("tinyShapes")
  void everyFamilyRunsWithSaneLogits(String shape) {
    checkLogits(synth(shape, "Q8_0"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyTypeRunsWithSaneLogits(String type) {
    checkLogits(synth("tiny-llama", type));
  }

  private static void checkLogits(Path model) {
    var result = Cli.run("logits", model.toString(), "-p", "the man and the sea", "--json");
    assertThat(result.status()).as(result.err()).isZero();
    var logits = result.json().get("logits");
    assertThat(logits).hasSize(512);
    double largest = 0;
    for (var logit : logits) largest = Math.max(largest, Math.abs(logit.doubleValue()));
    assertThat(largest).isBetween(0.1, 50.0);
  }

  @Test
  void theSameSeedGivesTheSameBytes() throws IOException {
    var first = Files.readAllBytes(synth("tiny-llama", "Q4_0", "--seed=7"));
    var again = Files.readAllBytes(synth("tiny-llama", "Q4_0", "--seed=7"));
    var other = Files.readAllBytes(synth("tiny-llama", "Q4_0", "--seed=8"));
    assertThat(again).isEqualTo(first);
    assertThat(other).hasSameSizeAs(first).isNotEqualTo(first);
  }

  @Test
  void noTwoTokensAreAlike() {
    var model = synth("tiny-llama", "Q8_0");
    var logits = Cli.run("logits", model.toString(), "--tokens", "1", "--json").json();
    var distinct = new java.util.HashSet<Float>();
    logits.get("logits").forEach(logit -> distinct.add(logit.floatValue()));
    assertThat(distinct).hasSizeGreaterThan(480);
  }

  @Test
  void aRowThatIsNoWholeNumberOfBlocksTakesAnotherType() {
    // Rows of 1152 values, four and a half blocks of 256.
    var model = synth("gemma-3-1b", "Q4_K", "--layers=1");
    var tensors = Cli.run("inspect", model.toString(), "--json").json().get("types");
    assertThat(tensors.propertyNames()).contains("Q5_0", "Q4_K", "F32");
  }

  @Test
  void aTowerSeesForAModelOfItsWidth() throws IOException {
    Files.move(synth("tiny-vision", "Q8_0"), folder.resolve("mmproj-tiny.gguf"));
    try (var model = LanguageModel.load(synth("tiny-qwen3.5", "Q8_0"))) {
      assertThat(model.sight()).isPresent();
    }
  }

  @Test
  void shapesThatHaveAHeadForMorePredictionsGetOne() {
    var tensors = Cli.run("inspect", synth("tiny-qwen3.5", "Q8_0").toString(), "--json");
    assertThat(tensors.out())
        .contains("blk.4.nextn.eh_proj.weight")
        .contains("nextn_predict_layers");
  }

  @Test
  void anyTwoTypesMakeAMix() {
    var tensors = Cli.run("inspect", synth("tiny-llama", "Q4_K+Q8_0").toString(), "--json").json();
    assertThat(tensors.get("types").propertyNames()).contains("Q4_K", "Q8_0");
    var out = folder.resolve("x.gguf").toString();
    var wrong = Cli.run("synth", "--shape=tiny-llama", "--type=Q4_K+Q4_K_M", out);
    assertThat(wrong.status()).isEqualTo(2);
  }

  @Test
  void wrongNamesListTheRightOnes() {
    var out = folder.resolve("x.gguf").toString();
    var shape = Cli.run("synth", "--shape", "gpt-5", "--type", "Q8_0", out);
    assertThat(shape.status()).isEqualTo(2);
    assertThat(shape.err()).contains("no shape is called gpt-5").contains("llama-3.2-1b");
    var type = Cli.run("synth", "--shape", "tiny-llama", "--type", "Q9", out);
    assertThat(type.status()).isEqualTo(2);
    assertThat(type.err()).contains("no type is called Q9").contains("Q4_K_M");
    var place = Cli.run("synth", "--shape=tiny-llama", "--type=Q8_0", folder + "/no/x.gguf");
    assertThat(place.status()).isEqualTo(2);
    assertThat(place.err()).contains("is not a folder");
  }

  @Test
  void onlyARegularFileIsReplaced() throws IOException {
    var link = Files.createSymbolicLink(folder.resolve("link.gguf"), folder.resolve("none"));
    for (var out : List.of("/dev/null", link.toString(), folder.toString())) {
      var result = Cli.run("synth", "--shape=tiny-llama", "--type=Q8_0", out);
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err())
          .startsWith("weft: " + out + " is a ")
          .contains("weft writes regular files alone")
          .hasLineCount(1);
    }
    assertThat(link).isSymbolicLink();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }
}
