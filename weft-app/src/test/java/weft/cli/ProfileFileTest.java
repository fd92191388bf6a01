package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.backend.KvType;
import weft.format.Loading;
import weft.load.Phase;
import weft.load.Profile;
import weft.load.Specialization;

class ProfileFileTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("weft.toml"), text);
  }

  @Test
  void readsEveryKey() throws IOException {
    var profile =
        ProfileFile.read(
            file(
                """
                threads = 3
                kv = "q8_0"
                load = "copy"

                [prefill]
                specialization = "exact"
                capacity = 4
                fusions = { fuse-rope = false, fuse-glu = true }

                [decode]
                specialization = "buckets"
                smallest = 8
                largest = 4096
                capacity = 3

                [decode.dispatch]
                attend = "reference"
                project = "native"
                """));
    assertThat(profile.threads()).contains(3);
    assertThat(profile.kvType()).contains(KvType.Q8_0);
    assertThat(profile.loading()).contains(Loading.COPY);
    var prefill = profile.phases().get(Phase.PREFILL);
    assertThat(prefill.specialization()).isEqualTo(new Specialization.Exact(4));
    assertThat(prefill.withoutFusions()).containsExactly("fuse-rope");
    var decode = profile.phases().get(Phase.DECODE);
    assertThat(decode.specialization()).isEqualTo(new Specialization.Buckets(8, 4096, 3));
    assertThat(decode.forcedToReference()).containsExactly("attend");
  }

  @Test
  void whatIsNotSaidStaysStandard() throws IOException {
    assertThat(ProfileFile.read(file(""))).usingRecursiveComparison().isEqualTo(Profile.standard());
  }

  @Test
  void theFileBesideTheWeightsCountsUnlessAnotherIsNamed() throws IOException {
    file("threads = 5");
    var other = Files.writeString(folder.resolve("other.toml"), "threads = 6");
    var model = folder.resolve("model.gguf");
    assertThat(ProfileFile.forModel(model, Optional.empty()).threads()).contains(5);
    assertThat(ProfileFile.forModel(folder, Optional.empty()).threads()).contains(5);
    assertThat(ProfileFile.forModel(model, Optional.of(other)).threads()).contains(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "threds = 4                               | unknown key threds; known are [threads, kv, load, prefill, decode]",
        "[decode]\\nspeed = 9                     | unknown key decode.speed; known are [specialization",
        "threads = 0                              | threads is 0, expected a whole number of at least 1",
        "threads = \"two\"                        | threads is \"two\", expected a whole number",
        "threads = 100000                         | threads is 100000, expected a whole number of at least 1 and at most",
        "threads = 9223372036854775807            | threads is 9223372036854775807, expected a whole number",
        "threads = nan                            | threads is \"NaN\", expected a whole number",
        "[prefill]\\nlargest = 2147483647         | prefill.largest is 2147483647, expected a whole number of at least 1 and at most 16777216",
        "[decode]\\nspecialization = \"exact\"\\ncapacity = 100000 | decode.capacity is 100000, expected a whole number of at least 1 and at most 1024",
        "kv = \"\"                                | kv: no key-value type is called",
        "[decode]\\nspecialization = \"\"         | decode: no specialization is called",
        "[decode.fusions]\\nfuse = false          | decode: no fusion is called fuse; there are [",
        "kv = \"f8\"                              | no key-value type is called f8; use one of [f32, f16, q8_0]",
        "decode = 3                               | decode is 3, expected a table",
        "[decode]\\nspecialization = \"fast\"     | no specialization is called fast; use exact, buckets or symbolic",
        "[decode]\\ncapacity = 3                  | decode.capacity belongs to specialization = \"exact\" or \"buckets\"",
        "[prefill]\\nsmallest = 9\\nlargest = 3   | buckets from 9 to 3",
        "[decode.fusions]\\nfuse-rope = \"off\"   | decode.fusions.fuse-rope is \"off\", expected true or false",
        "[decode.dispatch]\\nattend = \"gpu\"     | expected \"native\" or \"reference\"",
        "[decode.dispatch]\\natend = \"reference\" | no op is called atend; there are [",
        "threads = = 3                            | is not TOML",
      })
  void whatIsWrongIsASentence(String toml, String sentence) throws IOException {
    var file = file(toml.replace("\\n", "\n"));
    assertThatThrownBy(() -> ProfileFile.read(file))
        .isInstanceOf(CliException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(sentence);
  }

  @Test
  void anUnknownFusionIsSaidWhenTheModelLoads() throws IOException {
    var file = file("[decode.fusions]\nfuse-everything = false\n");
    var result =
        Cli.run(
            "run",
            Cli.golden("gguf/llama-untied-f32.gguf"),
            "--tokens=1",
            "--profile",
            file.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("no fusion is called fuse-everything").contains("fuse-rope");
  }
}
