package weft.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.backend.Device;
import weft.backend.KvType;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.ir.IrException;
import weft.lir.Bounds;
import weft.lir.Share;
import weft.net.Architecture;
import weft.net.Family;
import weft.net.ModelException;
import weft.net.Net;

/** Plans a checkpoint's graphs for a device: that of the model, and that of its head. */
record Plans(
    CheckpointView view,
    Family family,
    Device device,
    Profile profile,
    OptionalInt context,
    KvType kvType) {
  Plan trunk() {
    var plan = plan(family.read().apply(view));
    plan.requireCut(device.target().members());
    return plan;
  }

  /** What is to be said of a context that was asked for; nothing where the model has it. */
  Optional<String> beyond() {
    if (context.isEmpty()) return Optional.empty();
    int made = family.read().apply(view).contextLength();
    return context.getAsInt() <= made
        ? Optional.empty()
        : Optional.of(
            "a context of %d tokens, but the model was made for %d: what it makes of longer texts may be no sense"
                .formatted(context.getAsInt(), made));
  }

  /** The head that foretells a token more, of the first so many, where the checkpoint has one. */
  Optional<Plan> head(int vocabulary) {
    return family.head().of(view, vocabulary).map(this::plan);
  }

  /** The model for steps with rows of pictures, which add something behind its first layers. */
  Plan seeing(int deep) {
    var architecture = family.read().apply(view);
    return plan(graph(() -> Net.seeing(architecture, view, deep)), context(architecture));
  }

  /** A part of a vision tower over other weights. */
  Plan tower(CheckpointView tower, Consumer<Net> part) {
    var plans = new Plans(tower, family, device, profile, context, kvType);
    return plans.plan(plans.graph(() -> Net.graph(part, tower)), device.target().mostRows());
  }

  private int context(Architecture architecture) {
    return context.orElse(architecture.contextLength());
  }

  private Plan plan(Architecture architecture) {
    return plan(graph(() -> Net.graph(architecture, view)), context(architecture));
  }

  private Plan plan(Graph model, int positions) {
    var cut = new Cut(model, device.target().members(), view.stored());
    var graph = cut.graph();
    var stored = Share.stored(view.stored());
    Map<Phase, Pipeline> pipelines = new EnumMap<>(Phase.class);
    Map<Phase, Specialization> specializations = new EnumMap<>(Phase.class);
    for (var phase : Phase.values()) {
      var choices = profile.phases().get(phase);
      pipelines.put(phase, Pipeline.of(device.target(), stored, choices.withoutFusions()));
      specializations.put(phase, choices.specialization());
    }
    var target = device.target();
    int prefill = largestStep(specializations.get(Phase.PREFILL), target.mostRows(), positions);
    int decode = largestStep(specializations.get(Phase.DECODE), target.mostWanted(), positions);
    var limits =
        Map.of(
            Phase.PREFILL, new Bounds(prefill, Math.min(target.mostWanted(), prefill)),
            Phase.DECODE, new Bounds(decode, decode));
    return new Plan(
        model,
        graph,
        cut.remarks(),
        graph.slots(),
        view,
        pipelines,
        specializations,
        limits,
        positions,
        kvType,
        profile.forcedToReference());
  }

  /** The model's graph; numbers that cannot be a model are the checkpoint's fault. */
  private Graph graph(Supplier<Graph> built) {
    try {
      return built.get();
    } catch (IrException e) {
      throw new ModelException(
          "the checkpoint's numbers do not make a model: " + e.getMessage(), e);
    }
  }

  private static int largestStep(Specialization specialization, int usual, int context) {
    return specialization.largestStep(Math.min(usual, context));
  }
}
