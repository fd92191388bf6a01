package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.compile.Pipeline;
import weft.generate.Engine;
import weft.generate.Request;
import weft.load.Profile.Choices;
import weft.load.Specialization.Symbolic;

/** A fusion makes a model faster and nothing else: without it come the same tokens. */
class FusionsTest {
  static List<Arguments> withoutEachAndWithoutAll() {
    var arguments = new ArrayList<Arguments>();
    for (var fusion : Pipeline.fusions()) arguments.add(Arguments.of("cpu", Set.of(fusion)));
    for (var backend : List.of("reference", "cpu")) {
      arguments.add(Arguments.of(backend, Set.copyOf(Pipeline.fusions())));
    }
    return arguments;
  }

  private static LoadOptions without(String backend, Set<String> fusions) {
    var choices = new Choices(new Symbolic(), fusions, Set.of());
    var profile = Profile.standard().with(Phase.PREFILL, choices).with(Phase.DECODE, choices);
    return LoadOptions.standard().withBackend(backend).withThreads(2).withProfile(profile);
  }

  @ParameterizedTest(name = "{0} without {1}")
  @MethodSource("withoutEachAndWithoutAll")
  void theTokensAreTheSame(String backend, Set<String> without) {
    // Between them: biases, tied heads, sandwich norms and soft caps, gates, experts, delta rules.
    for (var family : List.of("llama-bias-mha", "gemma2", "qwen3-moe", "qwen35-text")) {
      var golden = new Golden(family);
      try (var model = LanguageModel.load(golden.files().getLast(), without(backend, without));
          var engine = Engine.start(model.model())) {
        var c = golden.cases().get(2);
        var reply = engine.generate(Request.of(c.prompt()).withMaxTokens(4));
        assertThat(reply.tokens()).as(family).isEqualTo(Arrays.copyOf(c.greedy(), 4));
      }
    }
  }

  @Test
  void anUnknownFusionIsAnErrorThatListsTheKnownOnes() {
    var file = new Golden("llama-untied").gguf("f32");
    assertThatThrownBy(() -> LanguageModel.load(file, without("cpu", Set.of("fuse-all"))))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("no fusion is called fuse-all")
        .hasMessageContaining("merge-projections");
  }

  @Test
  void whatTheProfileForcesToTheReferenceGivesTheSameTokens() {
    var golden = new Golden("qwen35-text");
    var forced =
        new Choices(new Symbolic(), Set.of(), Set.of("project", "ropeattend", "deltarule"));
    var profile = Profile.standard().with(Phase.DECODE, forced);
    var options = LoadOptions.standard().withThreads(2).withProfile(profile);
    try (var model = LanguageModel.load(golden.gguf("f32"), options);
        var engine = Engine.start(model.model())) {
      var c = golden.cases().get(2);
      assertThat(engine.generate(Request.of(c.prompt()).withMaxTokens(8)).tokens())
          .isEqualTo(Arrays.copyOf(c.greedy(), 8));
      assertThat(model.explain(Phase.DECODE).launches())
          .filteredOn(step -> step.text().contains("= project "))
          .isNotEmpty()
          .allMatch(step -> step.kind().equals("reference"));
    }
  }
}
