package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchCommandTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-q8_0.gguf");

  @Test
  void measuresPromptAndReply() {
    var result =
        Cli.run("bench", MODEL, "--prompt", "16", "--gen", "4", "--repetitions", "2", "--json");
    assertThat(result.status()).as(result.err()).isZero();
    var document = result.json();
    assertThat(document).hasSize(2);
    assertThat(document.get(0).get("test").stringValue()).isEqualTo("pp16");
    assertThat(document.get(1).get("test").stringValue()).isEqualTo("tg4");
    for (var test : document) {
      assertThat(test.get("tokens_per_second").doubleValue()).isPositive();
      assertThat(test.get("stdev").doubleValue()).isNotNegative();
    }
  }

  @Test
  void takesSeveralDepthsAndBatches() {
    var result =
        Cli.run(
            "bench",
            MODEL,
            "--prompt=0",
            "--gen=2",
            "--depth=0,8",
            "--batch=1,2",
            "--repetitions=1");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out().lines().map(String::strip).map(l -> l.split(" +")[0]))
        .containsExactly("test", "tg2", "tg2", "tg2", "tg2");
  }

  @Test
  void moreThanTheContextIsAClearError() {
    var result = Cli.run("bench", MODEL, "--prompt", "300", "--gen", "0");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("pp300").contains("300").contains("256");
  }

  @Test
  void whatDoesNotFitIsSaidBeforeAnythingIsMeasured() {
    var result =
        Cli.run("bench", MODEL, "--prompt=8", "--gen=1", "--depth=0,256", "--repetitions=10000");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("pp8 at depth 256 needs 264 positions");
  }

  @Test
  void nothingToMeasureIsWrongUsage() {
    assertThat(Cli.run("bench", MODEL, "--prompt=0", "--gen=0").status()).isEqualTo(2);
    assertThat(Cli.run("bench", MODEL, "--repetitions=0").status()).isEqualTo(2);
    assertThat(Cli.run("bench", MODEL, "--batch=0").status()).isEqualTo(2);
  }
}
