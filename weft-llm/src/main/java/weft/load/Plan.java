package weft.load;

import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.backend.KvType;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Slot;
import weft.lir.Bounds;
import weft.net.Net;

/**
 * What a model's programs are made of: its graph with all points that can be asked for, the
 * pipelines, the weights, and the largest steps. Steps beyond the limits are run in several.
 */
record Plan(
    Graph graph,
    List<Slot> slots,
    Weights weights,
    Map<Phase, Pipeline> pipelines,
    Map<Phase, Specialization> specializations,
    Map<Phase, Bounds> limits,
    int context,
    KvType kvType,
    Set<String> forcedToReference) {
  /** What generation asks for. */
  static final Set<String> LOGITS = Set.of(Net.LOGITS);

  Plan {
    // One list for all sessions: a step is then known by it.
    slots = List.copyOf(slots);
  }

  boolean hasExperts() {
    return graph.values().stream().anyMatch(value -> value.op() instanceof Op.Experts);
  }

  int vocabulary() {
    return graph.output(Net.LOGITS).type().width();
  }

  /** The points whose rows can be asked for, in the order they are computed. */
  List<String> points() {
    return graph.outputs().keySet().stream().filter(name -> !LOGITS.contains(name)).toList();
  }

  /** Whether every slot keeps all that it has seen. */
  boolean rewindsAnywhere() {
    return slots.stream()
        .allMatch(slot -> slot instanceof Slot.KeyValue kv && kv.window() >= context);
  }

  boolean isRecurrent() {
    return slots.stream().anyMatch(slot -> !(slot instanceof Slot.KeyValue));
  }
}
