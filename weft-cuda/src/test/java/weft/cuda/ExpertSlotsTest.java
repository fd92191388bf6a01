package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.conformance.ConformanceKit;
import weft.conformance.Precision;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;
import weft.experts.Traffic;
import weft.generate.Model;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** Whatever of a mixture lies in the device's memory, its logits are the same bits. */
class ExpertSlotsTest {
  private static final int[] PROMPT = {5, 17, 3};

  /** Logits of a prompt and of two tokens behind it, and what they cost. */
  private record Met(List<float[]> logits, Optional<Traffic> traffic) {}

  private static Met met(Path file, String backend, Optional<ExpertMemory> memory) {
    var options = LoadOptions.standard().withBackend(backend).withDevice(0);
    if (memory.isPresent()) options = options.withExperts(memory.get());
    try (var model = LanguageModel.load(file, options);
        var session = model.model().open()) {
      var rows = new ArrayList<float[]>();
      rows.add(forward(model, new Model.Step(session, PROMPT, 1)));
      for (int token : new int[] {8, 30}) {
        rows.add(forward(model, new Model.Step(session, new int[] {token}, 1)));
      }
      return new Met(rows, model.experts());
    }
  }

  private static float[] forward(LanguageModel model, Model.Step step) {
    return model.model().forward(List.of(step)).getFirst()[0].toArray();
  }

  /** Packed, all experts of a layer one tensor, or as floats, each a tensor of its own. */
  @Test
  void logitsAreTheSameBitsAtAnyBudget() {
    var heard = new ArrayList<Integer>();
    // More than one of these experts takes on the device, less than two.
    var sizes = Map.of("gguf/qwen3-moe-q8_0.gguf", 15_000, "hf/qwen3-moe", 40_000);
    var names = KitSettings.chosen(sizes.keySet().stream().sorted().toList(), 1);
    for (var name : names) {
      var one = new ExpertBudget.Bytes(sizes.get(name));
      var file = CudaGoldenTest.GOLDEN.resolve(name);
      var all = met(file, KitSettings.backend(), Optional.empty());
      assertThat(all.traffic).isEmpty();
      // A budget for all of them is none.
      var budgets = List.of(one, new ExpertBudget.ALayer(3), new ExpertBudget.ALayer(99));
      for (var budget : budgets) {
        var memory = new ExpertMemory(budget, (_, experts) -> heard.add(experts.length));
        var backend = budget == one ? KitSettings.late() : KitSettings.backend();
        var some = met(file, backend, Optional.of(memory));
        for (int i = 0; i < all.logits.size(); i++) {
          assertThat(some.logits.get(i)).as("%s, row %d", budget, i).isEqualTo(all.logits.get(i));
        }
        assertThat(some.traffic.isPresent()).isEqualTo(!budget.equals(budgets.getLast()));
        some.traffic.ifPresent(
            traffic -> {
              assertThat(traffic.misses()).isPositive();
              assertThat(traffic.bytes()).isPositive();
              assertThat(traffic.slots()).isPositive();
              if (budget == one) assertThat(traffic.slots()).isEqualTo(1);
            });
      }
    }
    // A share of the kit may have none of them.
    assertThat(heard.isEmpty()).isEqualTo(names.isEmpty());
  }

  @Test
  void rowsOfTheKitPassWithASlotALayer() {
    var options =
        Backend.Options.standard().withExperts(ExpertMemory.of(new ExpertBudget.ALayer(1)));
    try (var kit = new ConformanceKit()) {
      var all = kit.names().stream().filter(name -> name.contains("experts")).toList();
      var chosen = KitSettings.chosen(all, 1);
      var backend = ConformanceKit.backend(KitSettings.backend());
      assertThat(kit.failures(backend, options, Precision.HALVES, Set.copyOf(chosen)))
          .as("rows %s", chosen)
          .isEmpty();
    }
  }

  @Test
  void aBudgetThatHoldsNoExpertIsRefused() {
    var memory = Optional.of(ExpertMemory.of(new ExpertBudget.Bytes(100)));
    var file = CudaGoldenTest.GOLDEN.resolve("gguf/qwen3-moe-q8_0.gguf");
    assertThatThrownBy(() -> met(file, KitSettings.backend(), memory))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("holds no expert of this model")
        .hasMessageContaining("--expert-memory");
  }
}
