package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;
import weft.experts.RoutingListener;
import weft.format.Loading;
import weft.generate.Model;

/** Whatever of a mixture lies in memory, its logits are the same bits. */
class ExpertMemoryTest {
  /** More than any of these experts takes, less than two. */
  private static final ExpertBudget ONE = new ExpertBudget.Bytes(100_000);

  static List<Arguments> models() {
    var out = new ArrayList<Arguments>();
    var experts = new Golden("qwen3-moe");
    // Each expert a tensor of its own, and all of them one; packed, and beside a shared one.
    for (var file : experts.files()) out.add(Arguments.of(experts, file));
    out.add(Arguments.of(experts, experts.gguf("q8_0")));
    var shared = new Golden("qwen35-moe-text");
    out.add(Arguments.of(shared, shared.transformers()));
    return out;
  }

  private static LoadOptions options() {
    return LoadOptions.standard().withThreads(2);
  }

  /** The logits of a prompt's last row and of the tokens behind it, one by one. */
  private static List<float[]> logits(LanguageModel model, Golden.Case c) {
    var rows = new ArrayList<float[]>();
    try (var session = model.model().open()) {
      rows.add(forward(model, new Model.Step(session, c.prompt(), 1)));
      for (int token : Arrays.copyOf(c.greedy(), 6)) {
        rows.add(forward(model, new Model.Step(session, new int[] {token}, 1)));
      }
    }
    return rows;
  }

  private static float[] forward(LanguageModel model, Model.Step step) {
    return model.model().forward(List.of(step)).getFirst()[0].toArray();
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("models")
  void logitsAreTheSameBitsAtAnyBudget(Golden golden, Path file) {
    var c = golden.cases().get(1);
    List<float[]> expected;
    try (var model = LanguageModel.load(file, options())) {
      expected = logits(model, c);
      assertThat(model.experts()).isEmpty();
    }
    var budgets = List.of(ONE, new ExpertBudget.ALayer(3), new ExpertBudget.ALayer(99));
    for (var budget : budgets) {
      try (var model = LanguageModel.load(file, options().withExperts(ExpertMemory.of(budget)))) {
        var met = logits(model, c);
        for (int i = 0; i < met.size(); i++) {
          assertThat(met.get(i)).as("%s, row %d", budget, i).isEqualTo(expected.get(i));
        }
        var traffic = model.experts().orElseThrow();
        assertThat(traffic.misses()).isPositive();
        assertThat(traffic.bytes()).isPositive();
        assertThat(traffic.slots()).isPositive();
      }
    }
  }

  @Test
  void aListenerHearsWhatRoutersChoose() {
    var golden = new Golden("qwen3-moe");
    var heard = new ArrayList<String>();
    RoutingListener listener = (layer, experts) -> heard.add(layer + ":" + experts.length);
    var memory = new ExpertMemory(new ExpertBudget.ALayer(2), listener);
    try (var model = LanguageModel.load(golden.gguf("q8_0"), options().withExperts(memory))) {
      try (var session = model.model().open()) {
        forward(model, new Model.Step(session, new int[] {1}, 1));
      }
      assertThat(heard).isNotEmpty().allMatch(line -> line.endsWith(":2"));
    }
  }

  @Test
  void aCopyInMemoryAndABudgetExcludeEachOther() {
    var file = new Golden("qwen3-moe").gguf("q8_0");
    var both = options().withExperts(ExpertMemory.of(ONE)).withLoading(Loading.COPY);
    assertThatThrownBy(() -> LanguageModel.load(file, both).close())
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("--load map alone");
  }

  @Test
  void aBudgetOfAModelWithoutExpertsIsSaidToMeanNothing() {
    var warnings = new ArrayList<String>();
    var asked = options().withExperts(ExpertMemory.of(ONE)).withListeners(warnings::add, _ -> {});
    try (var model = LanguageModel.load(new Golden("llama-untied").files().getLast(), asked)) {
      assertThat(model.experts()).isEmpty();
      assertThat(warnings).anyMatch(warning -> warning.endsWith("this model has no experts"));
    }
    warnings.clear();
    LanguageModel.load(new Golden("qwen3-moe").gguf("q8_0"), asked).close();
    assertThat(warnings).isEmpty();
  }
}
