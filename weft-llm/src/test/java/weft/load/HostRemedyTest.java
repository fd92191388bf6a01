package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;
import weft.generate.Request;

/** What is said to fit this machine does. */
class HostRemedyTest {
  private static final LoadOptions OPTIONS =
      LoadOptions.standard().withBackend("cpu").withThreads(2);

  @Test
  void expertsThatDoNotFitAreGivenABudgetThatDoes() {
    var golden = new Golden("qwen3-moe");
    var file = golden.gguf("q8_0");
    HostRemedy remedy;
    try (var model = LanguageModel.load(file, OPTIONS)) {
      remedy = HostRemedy.of(model.compiled(), 1000, 64);
      assertThat(remedy.bytes())
          .isEqualTo(model.checkpoint().fileBytes() + 1000 + model.compiled().bytesFor(64));
    }
    assertThat(remedy.experts()).isPositive().isLessThan(remedy.bytes());
    assertThat(remedy.within(remedy.bytes())).contains("--backend cpu");
    long rest = remedy.bytes() - remedy.experts();
    assertThat(remedy.within(rest + remedy.largest())).isEmpty();
    long least = rest + remedy.largest() + HostRemedy.SLOT_SLACK;
    var said = remedy.within(least).orElseThrow();
    assertThat(said).matches("--backend cpu --expert-memory \\d+K");
    long bytes = Long.parseLong(said.replaceAll("\\D", "")) << 10;
    assertThat(rest + bytes).isLessThanOrEqualTo(least);
    var experts = ExpertMemory.of(new ExpertBudget.Bytes(bytes));
    try (var model = LanguageModel.load(file, OPTIONS.withExperts(experts))) {
      var c = golden.cases().get(1);
      model.generate(Request.of(c.prompt()).withMaxTokens(2));
      assertThat(model.experts().orElseThrow().slots()).isPositive();
    }
  }

  @Test
  void whatHasNoExpertsHasNoBudget() {
    try (var model = LanguageModel.load(new Golden("llama-untied").gguf("f32"), OPTIONS)) {
      var remedy = HostRemedy.of(model.compiled(), 0, 1);
      assertThat(remedy.within(remedy.bytes())).contains("--backend cpu");
      assertThat(remedy.within(remedy.bytes() - 1)).isEmpty();
    }
  }
}
