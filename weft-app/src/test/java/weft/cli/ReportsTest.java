package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportsTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");

  @Test
  void aTraceHasPrefillAndDecodeApartAndLeavesTheDocumentAlone() {
    var result =
        Cli.run(
            "run", MODEL, "--tokens=1,2,3", "--max-tokens=4", "--ignore-eos", "--trace", "--json");
    assertThat(result.json().get("tokens")).hasSize(4);
    assertThat(result.err())
        .contains("prefill: 3 tokens in 1 steps")
        .contains("decode: 3 tokens in 3 steps")
        .containsPattern("operation +kernel +count +time ms +share +average us")
        .containsPattern("project ffn_down +\\S+ \\S.* +9 +")
        .contains("between launches");
  }

  @Test
  void aTraceSaysWhatExpertsInABudgetCost() {
    var model = Cli.golden("gguf/qwen3-moe-q8_0.gguf");
    var result =
        Cli.run(
            "run", model, "--tokens=1,2", "--max-tokens=2", "--trace", "--expert-memory=1/layer");
    assertThat(result.err())
        .containsPattern("experts: \\d+ hits, \\d+ late, \\d+ misses \\(\\S+% hits\\)")
        .containsPattern("\\d slots of \\S+ KiB")
        .contains("in slots");
  }

  @Test
  void whatAHeadDoesIsMeasuredApart() {
    var result =
        Cli.run(
            "run",
            Cli.golden("gguf/qwen35-mtp-f32.gguf"),
            "--tokens=1,2,3",
            "--max-tokens=8",
            "--ignore-eos",
            "--speculate=mtp:2",
            "--trace");
    assertThat(result.err())
        .contains("prefill: 3 tokens in 1 steps")
        .containsPattern("guessing, prefill: \\d+ tokens in ")
        .containsPattern("project nextn.eh_proj +");
  }

  @Test
  void layersHaveTheirRange() {
    var result = Cli.run("logits", MODEL, "--tokens=1,2,3", "--debug-layers", "--json");
    assertThat(result.json().get("logits")).hasSize(259);
    assertThat(result.err())
        .containsPattern("after +min +max +mean +not finite")
        .containsPattern("the embedding +-\\S+ +\\S+ +\\S+ +0 of 192")
        .containsPattern("layer 2 +")
        .containsPattern("the final norm +");
  }
}
