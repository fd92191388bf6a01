package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong usage ends with status 2 and one line that says what to give; failures with 1. */
class UsageTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chat MODEL --json                       | --json is for one answer",
        "dance                                   | 'dance'",
        "run --tokens 1 MODEL --nope             | --nope",
        "run MODEL                               | give one prompt",
        "run MODEL --tokens 1 -p hello           | give one prompt",
        "logits MODEL --tokens 1,x               | no list of token ids",
        "logits MODEL --tokens                   | --tokens",
        "run MODEL --tokens 1 --threads 0        | --threads must be at least 1, got 0",
        "run MODEL --tokens 1 --context 0        | --context must be at least 1, got 0",
        "run MODEL --tokens 1 --threads 100000   | --threads must be at most",
        "run MODEL --tokens 1 --isa nope         | no instruction set is called nope; there are [avx2",
        "run MODEL --tokens 1 --load nope        | --load: no way to load is called nope; there are [map, copy, lock]",
        "bench MODEL --depth 2147483647          | --depth must be at most 16777216, got 2147483647",
        "bench MODEL --batch 100000              | --batch must be at most 256, got 100000",
        "bench MODEL --repetitions 2147483647    | --repetitions must be at most 10000",
        "synth --shape tiny-llama --type F32 --layers 100000 x | --layers must be at most 512",
        "run MODEL --tokens 1 --backend tpu      | no backend is called tpu",
        "run MODEL --tokens 1 --devices 0,-1     | --devices must be at least 0, got -1",
        "run MODEL --tokens 1 --devices 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 | --devices takes at most 16, got 17",
        "run MODEL --tokens 1 --temperature -1   | temperature must be 0 (greedy)",
        "run MODEL --tokens 1 --top-p 1.5        | top-p must be between 0 and 1",
        "run MODEL --tokens 1 --speculate maybe  | --speculate takes auto, none, mtp, draft or lookup",
        "run MODEL --tokens 1 --speculate none:2 | got none:2",
        "run MODEL --tokens 1 --speculate mtp:0  | got mtp:0",
        "run MODEL --tokens 1 --speculate draft  | --draft MODEL",
        "run MODEL --tokens 1 --draft nope.gguf  | 'nope.gguf' does not exist",
        "run MODEL --tokens 1 --draft MODEL --speculate lookup | --draft gives a model for --speculate draft or auto",
        "serve MODEL --speculate lookup:x        | got lookup:x",
        "chat MODEL -p hi --speculate sometimes  | got sometimes",
        "run MODEL --tokens 1 --max-tokens 0     | max tokens must be at least 1, got 0",
      })
  void wrongUsageIsOneLineAndStatusTwo(String line, String expected) {
    var result = Cli.run(line.replace("MODEL", MODEL).split(" +"));
    assertThat(result.status()).as(result.err()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("weft: ").contains(expected).contains("--help");
    assertThat(result.err().lines()).hasSize(1);
  }

  @Test
  void withoutACommandThereIsHelp() {
    var result = Cli.run();
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("Usage: weft").contains("  chat ");
    assertThat(result.err().lines().toList().getLast())
        .startsWith("weft: say which command to run: run, chat")
        .endsWith("see weft --help");
  }

  @Test
  void aFailureIsOneLineAndStatusOne() {
    var result = Cli.run("run", "no-such-file.gguf", "--tokens", "1");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).isEqualTo("weft: no-such-file.gguf does not exist\n");
  }

  @Test
  void verboseShowsWhereAFailureHappened() {
    var result = Cli.run("run", "no-such-file.gguf", "--tokens", "1", "--verbose");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("does not exist\n").contains("\tat weft.format.");
  }

  @Test
  void everyCommandHasHelp() {
    var commands =
        Cli.run("--help")
            .out()
            .lines()
            .dropWhile(line -> !line.equals("Commands:"))
            .skip(1)
            .takeWhile(line -> !line.isEmpty())
            .filter(line -> line.matches("  \\S.*"))
            .map(line -> line.strip().split(" ")[0])
            .toList();
    assertThat(commands).contains("run", "chat", "tokenize", "synth").hasSizeGreaterThan(8);
    for (var command : commands) {
      var result = Cli.run(command, "--help");
      assertThat(result.status()).isZero();
      assertThat(result.out()).startsWith("Usage: weft " + command).contains("--verbose");
      assertThat(result.err()).isEmpty();
    }
  }

  @Test
  void withoutAModelTheBuiltInOneIsUsed() {
    var result = Cli.run("inspect", "--json");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.json().get("metadata").get("general.name").stringValue())
        .isEqualTo("Weft Tiny");
    assertThat(Cli.run("tokenize", "-p", "Once upon a time").out()).matches("\\d+(,\\d+)+\n");
  }

  @Test
  void theVersionNamesWeftAndJava() {
    assertThat(Cli.run("--version").out()).startsWith("weft 0.").contains(" on Java ");
  }
}
