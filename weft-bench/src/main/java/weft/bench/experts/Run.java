package weft.bench.experts;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import weft.cpu.asm.Pages;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;
import weft.experts.Traffic;
import weft.generate.Model;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** The same text fed token by token, to a model whose experts are mapped or lie in slots. */
final class Run {
  private static final List<String> PARTS =
      List.of("ffn_gate_exps.weight", "ffn_up_exps.weight", "ffn_down_exps.weight");

  /** Tokens that the text is drawn from, one of which is replaced at each. */
  private static final int AT_ONCE = 128;

  /** What one run took; a mapped one has no traffic that anybody could count. */
  record Measured(
      double tokensPerSecond, double hitRate, double megabytesAToken, double stallMillisAToken) {
    static Measured median(List<Measured> all) {
      var sorted = new ArrayList<>(all);
      sorted.sort(Comparator.comparingDouble(Measured::tokensPerSecond));
      return sorted.get(sorted.size() / 2);
    }
  }

  private final Path file;
  private final int[] text;
  private final int warmUp;
  private final int layers;
  private final int experts;
  private final long slotBytes;
  private final RoutingRecord routing;

  Run(Path file, int timed, int warmUp, double exponent) {
    this.file = file;
    this.warmUp = warmUp;
    try (var model = LanguageModel.load(file)) {
      var tokens = new DriftingTokens(1, model.model().vocabularySize(), AT_ONCE, exponent, 1);
      this.text = IntStream.range(0, warmUp + timed).map(_ -> tokens.next()).toArray();
      var weights = model.checkpoint().tensors();
      this.layers = (int) weights.keySet().stream().filter(n -> n.endsWith(PARTS.get(0))).count();
      this.experts = weights.get("blk.0." + PARTS.get(0)).shape().getFirst().intValue();
    }
    var steps = new ArrayList<List<Integer>>();
    var memory =
        new ExpertMemory(
            new ExpertBudget.ALayer(experts), (layer, used) -> note(steps, layer, used));
    var options = LoadOptions.standard().withExperts(memory);
    try (var model = LanguageModel.load(file, options)) {
      feed(model, _ -> {}, _ -> {});
      this.slotBytes = model.experts().orElseThrow().slotBytes();
    }
    this.routing = new RoutingRecord(List.copyOf(steps), layers * experts);
  }

  private void note(List<List<Integer>> steps, int layer, int[] used) {
    if (layer == 0) steps.add(new ArrayList<>());
    for (int e : used) steps.getLast().add(layer * experts + e);
  }

  /** The experts of all layers. */
  int experts() {
    return layers * experts;
  }

  int warmUp() {
    return warmUp;
  }

  RoutingRecord routing() {
    return routing;
  }

  /**
   * Feeds the text; gives the seconds that its timed part took. What is done behind a step is not
   * timed.
   */
  private double feed(LanguageModel model, IntConsumer before, IntConsumer behind) {
    long nanos = 0;
    try (var session = model.model().open()) {
      for (int i = 0; i < text.length; i++) {
        before.accept(i);
        long begun = System.nanoTime();
        model.model().forward(List.of(Model.Step.written(session, new int[] {text[i]}, 1, 0)));
        if (i >= warmUp) nanos += System.nanoTime() - begun;
        behind.accept(i);
      }
    }
    return nanos / 1e9;
  }

  /**
   * Mapped, with memory for the pages of so many experts: those that were used longest ago are
   * taken out of it, and out of the system's cache, behind each step. A system that is short of
   * memory chooses worse and takes its time for it.
   */
  Measured mapped(int slots) {
    var leaving = routing.leaving(slots);
    var pages = Pages.open();
    try (var model = LanguageModel.load(file)) {
      boolean isAll = slots >= experts();
      for (int e = 0; e < experts(); e++) {
        for (var part : parts(model, e)) {
          if (isAll) part.load();
          else pages.pageOut(part);
        }
      }
      double seconds =
          feed(
              model,
              _ -> {},
              i -> {
                for (int e : leaving.get(i)) parts(model, e).forEach(pages::pageOut);
              });
      return new Measured((text.length - warmUp) / seconds, 0, 0, 0);
    }
  }

  private List<MemorySegment> parts(LanguageModel model, int expert) {
    var parts = new ArrayList<MemorySegment>();
    for (var name : PARTS) {
      var tensor = model.checkpoint().tensors().get("blk." + expert / experts + "." + name);
      long bytes = tensor.bytes().byteSize() / experts;
      parts.add(tensor.bytes().asSlice(expert % experts * bytes, bytes));
    }
    return parts;
  }

  /** In slots of a budget; what is read comes from the disk, whatever the system has cached. */
  Measured paged(int slots) {
    boolean isAll = slots >= experts();
    var budget = new ExpertBudget.Bytes(slots * slotBytes);
    var options = LoadOptions.standard().withExperts(ExpertMemory.of(budget));
    try (var model = LanguageModel.load(file, options)) {
      // Where all of them fit, the mapped one has read its file before, too.
      if (isAll) feed(model, _ -> {}, _ -> {});
      var begun = new Traffic[1];
      double seconds =
          feed(
              model,
              i -> {
                if (i == warmUp) begun[0] = model.experts().orElseThrow();
              },
              _ -> {});
      int timed = text.length - warmUp;
      var ended = model.experts().orElseThrow();
      long hits = ended.hits() - begun[0].hits();
      long uses = hits + ended.late() - begun[0].late() + ended.misses() - begun[0].misses();
      return new Measured(
          timed / seconds,
          (double) hits / uses,
          (ended.bytes() - begun[0].bytes()) / (double) (1 << 20) / timed,
          ended.stall().minus(begun[0].stall()).toNanos() / 1e6 / timed);
    }
  }
}
