package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every option of every command meets values that make no sense. Each is refused before a model is
 * looked for: the models here do not exist, so a value that is taken ends with status 1.
 */
class AbsurdValuesTest {
  private static final List<String> VALUES =
      List.of(
          "0",
          "-1",
          "2147483647",
          "-2147483648",
          "9223372036854775807",
          "1e400",
          "NaN",
          "Infinity",
          "",
          "x",
          "1,",
          "1;2",
          "99999999999999999999");

  /** What a command needs besides; a model that is not there, a file that is none. */
  private static final Map<String, List<String>> COMMANDS =
      Map.ofEntries(
          Map.entry("run", List.of("absent.gguf", "--tokens=1")),
          Map.entry("chat", List.of("absent.gguf")),
          Map.entry("serve", List.of("absent.gguf")),
          Map.entry("batch", List.of("absent.gguf", "absent.gguf", "out.jsonl")),
          Map.entry("bench", List.of("absent.gguf")),
          Map.entry("inspect", List.of("absent.gguf")),
          Map.entry("explain", List.of("absent.gguf")),
          Map.entry("logits", List.of("absent.gguf", "--tokens=1")),
          Map.entry("tokenize", List.of("absent.gguf")),
          Map.entry("constrain", List.of("absent.gguf", "--jsonl")),
          Map.entry("render", List.of("absent.gguf", "--messages=-")),
          Map.entry("synth", List.of("/dev/null", "--shape=tiny-llama", "--type=F32")));

  private static final Set<String> WHOLE =
      Set.of("0", "-1", "2147483647", "-2147483648", "9223372036854775807");

  /**
   * What each option takes of these values, because it makes sense there: no reply is longer than
   * its context, no draw is from more than the vocabulary.
   */
  private static final Map<String, Set<String>> TAKEN =
      Map.ofEntries(
          Map.entry("--threads", Set.of()),
          Map.entry("--context", Set.of()),
          Map.entry("--memory", Set.of("2147483647", "9223372036854775807")),
          Map.entry("--kv-memory", Set.of("2147483647", "9223372036854775807")),
          Map.entry("--expert-memory", Set.of("2147483647", "9223372036854775807")),
          Map.entry("--port", Set.of("0")),
          Map.entry("--parallel", Set.of()),
          Map.entry("--queue", Set.of("0")),
          Map.entry("--max-models", Set.of()),
          Map.entry("--max-body", Set.of("2147483647", "9223372036854775807")),
          Map.entry("--grace", Set.of("0")),
          Map.entry("--log", Set.of()),
          Map.entry("--backend", Set.of()),
          Map.entry("--devices", Set.of("0", "1,")), // as lists of numbers below
          Map.entry("--isa", Set.of()),
          Map.entry("--load", Set.of()),
          Map.entry("--dequantize", Set.of()),
          Map.entry("--max-tokens", Set.of("2147483647")),
          Map.entry(
              "--temperature",
              Set.of("0", "2147483647", "9223372036854775807", "99999999999999999999")),
          Map.entry("--top-k", Set.of("0", "2147483647")),
          Map.entry("--top-p", Set.of("0")),
          Map.entry("--min-p", Set.of("0")),
          Map.entry("--typical", Set.of("0")),
          Map.entry(
              "--repeat-penalty",
              Set.of("2147483647", "9223372036854775807", "99999999999999999999")),
          Map.entry("--repeat-last-n", Set.of("0", "-1", "2147483647")),
          Map.entry(
              "--presence-penalty",
              Set.of(
                  "0",
                  "-1",
                  "2147483647",
                  "-2147483648",
                  "9223372036854775807",
                  "99999999999999999999")),
          Map.entry(
              "--frequency-penalty",
              Set.of(
                  "0",
                  "-1",
                  "2147483647",
                  "-2147483648",
                  "9223372036854775807",
                  "99999999999999999999")),
          Map.entry("--seed", WHOLE),
          Map.entry("--draft", Set.of()),
          Map.entry("--speculate", Set.of()),
          Map.entry("--draft-vocab", Set.of("2147483647")),
          Map.entry("--logprobs", Set.of("0", "2147483647")),
          // A list of numbers may end with its separator.
          Map.entry("--prompt", Set.of("0", "1,")),
          Map.entry("--gen", Set.of("0", "1,")),
          Map.entry("--depth", Set.of("0", "1,")),
          Map.entry("--batch", Set.of("1,")),
          Map.entry("--repetitions", Set.of()),
          Map.entry("--fps", Set.of()),
          Map.entry("--phase", Set.of()),
          Map.entry("--shape", Set.of()),
          Map.entry("--type", Set.of()),
          Map.entry("--layers", Set.of()),
          Map.entry("--now", Set.of()),
          // The vocabulary, which only the model knows, ends somewhere.
          Map.entry("--tokens", Set.of("0", "2147483647")));

  /** Any text will do, but for an end that would end every reply; or the name of a file. */
  private static final Set<String> TEXTS =
      Set.of(
          "-p",
          "--system",
          "--stop",
          "--after",
          "--prompt-file",
          "--profile",
          "--config",
          "--mmproj",
          "--aot-cache",
          "--models",
          "--host",
          "--api-key",
          "--api-key-file",
          "--cors",
          "--tls-cert",
          "--tls-key",
          "--messages",
          "--image",
          "--video",
          "--schema",
          "--regex",
          "--grammar");

  private static Stream<OptionSpec> options(String command) {
    var console =
        new Console(
            new ByteArrayInputStream(new byte[0]),
            Output.ofResults(OutputStream.nullOutputStream()),
            Output.ofRemarks(OutputStream.nullOutputStream()),
            Settings.plain(Path.of("target", "cache")));
    return Commands.line(new Weft(), console, new String[0])
        .getSubcommands()
        .get(command)
        .getCommandSpec()
        .options()
        .stream()
        .filter(option -> option.arity().max() > 0)
        .filter(option -> !TEXTS.contains(option.names()[0]));
  }

  @Test
  void everyCommandIsHere() {
    var help = Cli.run("--help").out();
    assertThat(COMMANDS.keySet()).allSatisfy(name -> assertThat(help).contains("\n  " + name));
    assertThat(
            help.lines()
                .dropWhile(line -> !line.equals("Commands:"))
                .filter(line -> line.matches("  \\w.*")))
        .hasSameSizeAs(COMMANDS.keySet());
  }

  @TestFactory
  Stream<DynamicTest> everyOptionRefusesWhatMakesNoSense() {
    return COMMANDS.keySet().stream()
        .sorted()
        .flatMap(
            command ->
                options(command)
                    .map(
                        option ->
                            DynamicTest.dynamicTest(
                                command + " " + option.longestName(),
                                () -> refuses(command, option.longestName()))));
  }

  private static void refuses(String command, String option) {
    assertThat(TAKEN).as("the options of this test; say what a new one takes").containsKey(option);
    for (var value : VALUES) {
      var args =
          Stream.concat(
                  Stream.of(command),
                  Stream.concat(
                      COMMANDS.get(command).stream().filter(a -> !a.startsWith(option + "=")),
                      Stream.of(option + "=" + value)))
              .toArray(String[]::new);
      var result = Cli.run(args);
      boolean isTaken = TAKEN.get(option).contains(value);
      assertThat(result.status())
          .as("%s: %s", String.join(" ", args), result.err())
          .isEqualTo(isTaken ? 1 : 2);
      assertThat(result.err().lines()).as(result.err()).hasSize(1);
      if (isTaken) {
        assertThat(result.err()).containsAnyOf("absent.gguf", "/dev/null");
      } else {
        var words = option.substring(2).replace('-', ' ');
        assertThat(result.err().replace('-', ' ')).as("the option is named").contains(words);
        assertThat(result.err())
            .as("what was met is")
            .containsAnyOf(value, asNumber(value))
            .contains("--help");
      }
    }
  }

  private static String asNumber(String value) {
    try {
      return String.valueOf(Double.parseDouble(value));
    } catch (NumberFormatException e) {
      return value;
    }
  }

  /** Names of files that are there and are not what they should be. */
  @Test
  void filesOfAnotherKindAreRefused(@TempDir Path folder) throws Exception {
    var pipe = folder.resolve("pipe").toString();
    assumeTrue(new ProcessBuilder("mkfifo", pipe).start().waitFor() == 0, "no pipes here");
    var folderName = folder.toString();
    var golden = Cli.golden("gguf/llama-untied-f32.gguf");
    for (var line :
        List.of(
            List.of("run", golden, "--tokens=1", "--profile=" + pipe),
            List.of("run", golden, "--tokens=1", "--profile=" + folderName),
            List.of("run", golden, "--tokens=1", "--profile="),
            List.of("run", golden, "--tokens=1", "--aot-cache=" + pipe),
            List.of("run", golden, "--tokens=1", "--aot-cache="),
            List.of("run", "", "--tokens=1"),
            List.of("run", pipe, "--tokens=1"),
            List.of("run", folderName, "--tokens=1"),
            List.of("inspect", pipe),
            List.of("tokenize", pipe, "-p", "x"),
            List.of("synth", "--shape=tiny-llama", "--type=F32", pipe),
            List.of("synth", "--shape=tiny-llama", "--type=F32", ""),
            List.of("synth", "--shape=tiny-llama", "--type=F32", "/"))) {
      var result = Cli.run(line.toArray(String[]::new));
      assertThat(result.status()).as("%s: %s", line, result.err()).isIn(1, 2);
      assertThat(result.err()).startsWith("weft: ").doesNotContain("bug").hasLineCount(1);
    }
  }
}
