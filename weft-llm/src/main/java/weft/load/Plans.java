package weft.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import weft.backend.Device;
import weft.backend.KvType;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.ir.IrException;
import weft.lir.Bounds;
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
    return plan(family.read().apply(view));
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

  private Plan plan(Architecture architecture) {
    var graph = graph(architecture);
    int positions = context.orElse(architecture.contextLength());
    Map<Phase, Pipeline> pipelines = new EnumMap<>(Phase.class);
    Map<Phase, Specialization> specializations = new EnumMap<>(Phase.class);
    for (var phase : Phase.values()) {
      var choices = profile.phases().get(phase);
      pipelines.put(phase, Pipeline.of(device.target(), view.stored(), choices.withoutFusions()));
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
        graph,
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
  private Graph graph(Architecture architecture) {
    try {
      return Net.graph(architecture, view);
    } catch (IrException e) {
      throw new ModelException(
          "the checkpoint's numbers do not make a model: " + e.getMessage(), e);
    }
  }

  private static int largestStep(Specialization specialization, int usual, int context) {
    return specialization.largestStep(Math.min(usual, context));
  }
}
