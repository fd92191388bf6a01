package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipes that nobody writes to and devices without an end, wherever a text is expected. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileInputTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");
  private static final Path ZERO = Path.of("/dev/zero");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "tokenizer.json, tokenize",
    "tokenizer_config.json, tokenize",
    "tokenizer_config.json, render",
    "chat_template.jinja, render",
    "chat_template.json, render",
    "special_tokens_map.json, render",
    "config.json, inspect",
    "generation_config.json, inspect",
    "model.safetensors.index.json, inspect",
    "model.safetensors, inspect",
    "weft.toml, run"
  })
  void aFolderBringsRegularFiles(String name, String command) throws Exception {
    var piped = folderWithout(name, "piped");
    makePipe(piped.resolve(name));
    var linked = folderWithout(name, "linked");
    Files.createSymbolicLink(linked.resolve(name), ZERO);
    for (var model : List.of(piped, linked)) {
      var messages = model.resolve("messages").toString();
      var result =
          switch (command) {
            case "render" -> Cli.run("render", model.toString(), "--messages", messages);
            case "inspect" -> Cli.run("inspect", model.toString());
            default -> Cli.run(command, model.toString(), "-p", "a");
          };
      assertThat(result.status()).as(result.out()).isEqualTo(1);
      assertThat(result.err()).contains(name).contains("regular file").doesNotContain("bug");
    }
  }

  private Path folderWithout(String missing, String name) throws IOException {
    var model = Files.createDirectory(folder.resolve(name));
    Files.writeString(model.resolve("tokenizer.json"), "{\"model\":{\"vocab\":{\"a\":0}}}");
    Files.writeString(model.resolve("config.json"), "{}");
    Files.writeString(model.resolve("messages"), "{\"messages\":[]}");
    Files.writeString(model.resolve("chat_template.jinja"), "x");
    if (missing.equals("chat_template.json")) Files.delete(model.resolve("chat_template.jinja"));
    Files.deleteIfExists(model.resolve(missing));
    return model;
  }

  @ParameterizedTest
  @CsvSource({"run, --prompt-file", "tokenize, --prompt-file", "render, --messages"})
  void whatHasNoEndIsRefused(String command, String option) {
    var result = Cli.run(command, MODEL, option, ZERO.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("/dev/zero").contains("expected").doesNotContain("bug");
  }

  @Test
  void aProfileIsARegularFile() {
    var result = Cli.run("run", MODEL, "-p", "a", "--profile", ZERO.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("/dev/zero").contains("expected a regular file");
  }

  @Test
  void aPipeOfTheShellIsReadToItsEnd() throws Exception {
    var pipe = folder.resolve("pipe");
    makePipe(pipe);
    var writer = new ProcessBuilder("sh", "-c", "printf AB > '" + pipe + "'").start();
    var result = Cli.run("tokenize", MODEL, "--prompt-file", pipe.toString());
    assertThat(result.out()).isEqualTo("68,69\n");
    assertThat(writer.waitFor()).isZero();
  }

  @Test
  void advisesByWhoWantedTheMemory() {
    assertThat(Failures.sentence(exhausted("weft.text.jinja.Run"))).contains("give a smaller one");
    assertThat(Failures.sentence(exhausted("weft.input.SmallInput"))).contains("a smaller one");
    assertThat(Failures.sentence(exhausted("weft.backend.SequenceState"))).contains("--context");
    assertThat(Failures.sentence(exhausted("java.lang.String")))
        .contains("heap")
        .doesNotContain("--context");
  }

  private static OutOfMemoryError exhausted(String where) {
    var error = new OutOfMemoryError("Java heap space");
    error.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.Arrays", "copyOf", "Arrays.java", 1),
          new StackTraceElement(where, "grow", "File.java", 2)
        });
    return error;
  }

  private static void makePipe(Path file) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
  }
}
