package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.format.GgufWriter;

class InspectCommandTest {
  private static final String GGUF = Cli.golden("gguf/llama-untied-q8_0.gguf");

  @Test
  void showsHyperParametersAndTensors() {
    var result = Cli.run("inspect", GGUF);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("architecture +llama \\(weft runs it as")
        .containsPattern("llama\\.block_count +3\n")
        .containsPattern("blk\\.0\\.attn_q\\.weight +Q8_0 +64 x 64 +4\\.25 KiB\n")
        .containsPattern("tokenizer +gpt2 gpt-2, 259 tokens\n")
        .containsPattern("chat template +none\n");
  }

  @Test
  void theDocumentNamesEverything() {
    var document = Cli.run("inspect", GGUF, "--json").json();
    assertThat(document.get("architecture").stringValue()).isEqualTo("llama");
    assertThat(document.get("hyper_parameters").get("llama.block_count").intValue()).isEqualTo(3);
    assertThat(document.get("types").get("Q8_0").get("tensors").intValue()).isEqualTo(23);
    var tensor = document.get("tensors").get(0);
    assertThat(tensor.propertyNames()).containsExactly("name", "type", "shape", "bytes");
    assertThat(document.get("metadata").get("tokenizer.ggml.tokens").stringValue())
        .isEqualTo("STRING[259]");
  }

  @Test
  void aFolderIsShownByItsConfiguration() {
    var document = Cli.run("inspect", Cli.golden("hf/llama-untied"), "--json").json();
    assertThat(document.get("format").stringValue()).isEqualTo("safetensors");
    assertThat(document.get("architecture").stringValue()).isEqualTo("llama");
    assertThat(document.get("hyper_parameters").get("num_hidden_layers").intValue()).isEqualTo(3);
  }

  @Test
  void theTemplateIsShownByItsFirstLines() {
    assertThat(Cli.run("inspect").out())
        .containsPattern("chat template +6 lines\n")
        .contains("\nchat template\n  {%- for message in messages %}\n");
  }

  @Test
  void aCheckpointThatWeftCannotRunIsShownAllTheSame(@TempDir Path folder) {
    var file = folder.resolve("strange.gguf");
    new GgufWriter()
        .string("general.architecture", "strange")
        .uint32("strange.block_count", 7)
        .strings("tokenizer.ggml.tokens", List.of("a", "b"))
        .write(file);
    var result = Cli.run("inspect", file.toString());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("strange (weft cannot run it)")
        .contains("0 in 0 tensors")
        .containsPattern("strange\\.block_count +7\n");
    var run = Cli.run("run", file.toString(), "--tokens=1");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("strange.gguf is strange; weft runs [");
  }

  @Test
  void aTruncatedFileIsOneLine(@TempDir Path folder) throws IOException {
    var broken = folder.resolve("broken.gguf");
    var whole = Files.readAllBytes(Path.of(GGUF));
    Files.write(broken, Arrays.copyOf(whole, 1000));
    var result = Cli.run("inspect", broken.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("weft: " + broken);
    assertThat(result.err().lines()).hasSize(1);
  }
}
