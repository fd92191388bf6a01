package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No command ends well whose result was not written. */
class OutputTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");

  /** Every way of every command to write a result. */
  static Stream<String> commands() {
    return Stream.of(
        "--help",
        "--version",
        "run --help",
        "run MODEL --tokens 1,5 --max-tokens 3",
        "run MODEL --tokens 1,5 --max-tokens 3 --json",
        "run -p once --max-tokens 3",
        "logits MODEL --tokens 1,5",
        "logits MODEL --tokens 1,5 --json",
        "inspect MODEL",
        "inspect MODEL --json",
        "explain MODEL",
        "explain MODEL --json",
        "explain MODEL --launches",
        "explain MODEL --program",
        "explain MODEL --after model",
        "bench MODEL --prompt 2 --gen 0 --repetitions 1",
        "bench MODEL --prompt 2 --gen 0 --repetitions 1 --json",
        "tokenize -p once",
        "tokenize -p once --json",
        "tokenize -p once --show",
        "tokenize --jsonl",
        "render --messages -",
        "render --messages - --json",
        "chat --max-tokens 2");
  }

  private static Cli run(OutputStream out, String line) {
    var input = line.contains("render") ? "{\"messages\":[]}" : "{\"text\":\"hello\"}\n";
    var err = new ByteArrayOutputStream();
    var console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            Output.ofResults(out),
            Output.ofRemarks(err),
            Settings.plain(Path.of("target", "cache")));
    int status = Commands.run(console, line.replace("MODEL", MODEL).split(" "));
    return new Cli(status, "", err.toString(StandardCharsets.UTF_8));
  }

  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(reason);
      }
    };
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aFullDiskIsOneSentenceAndStatusOne(String line) {
    var result = run(failing("No space left on device"), line);
    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.err())
        .endsWith("weft: the output cannot be written: No space left on device\n")
        .doesNotContain("bug");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aReaderThatIsGoneIsLeftInPeace(String line) {
    var result = run(failing("Broken pipe"), line);
    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.err()).doesNotContain("cannot").doesNotContain("bug").doesNotContain("pipe");
  }

  @Test
  void aReaderThatIsGoneEndsTheGeneration() {
    var written = new int[1];
    var out =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError("pieces come whole");
          }

          @Override
          public void write(byte[] bytes) throws IOException {
            if (++written[0] > 3) throw new IOException("Broken pipe");
          }
        };
    var result = run(out, "run MODEL --tokens 1,5 --max-tokens 200 --ignore-eos");
    assertThat(result.status()).isEqualTo(1);
    assertThat(written[0]).isEqualTo(4);
    assertThat(result.err()).isEmpty();
  }

  /** The real thing: the descriptors of a process of its own. */
  @Test
  void aRealFullDeviceIsNoticed(@TempDir Path folder) throws Exception {
    var full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "only some systems have " + full);
    var remarks = folder.resolve("err");
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "weft.cli.Main",
                "inspect",
                MODEL,
                "--json")
            .redirectOutput(full.toFile())
            .redirectError(remarks.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(remarks)).isEqualTo(1);
    assertThat(remarks).content().contains("weft: the output cannot be written: No space left");
  }
}
