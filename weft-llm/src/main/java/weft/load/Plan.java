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
import weft.lir.Share;
import weft.lir.Stored;
import weft.net.Net;

/**
 * What a model's programs are made of: its graph with all points that can be asked for, the
 * pipelines, the weights, and the largest steps. Steps beyond the limits are run in several.
 *
 * @param model the graph as the model says it
 * @param graph what each member of a mesh has of it; of one device, all
 * @param remarks what is to be said of how it was cut
 */
record Plan(
    Graph model,
    Graph graph,
    List<String> remarks,
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
    remarks = List.copyOf(remarks);
  }

  /** Refuses a mesh of whose members each would do all there is to do. */
  void requireCut(int members) {
    if (members > 1 && graph.values().stream().noneMatch(v -> v.op() instanceof Op.Collective)) {
      throw new LoadException(
          "nothing of this model can be cut in %d: %s; name fewer devices"
              .formatted(members, String.join("; ", remarks)));
    }
  }

  /** How tensors are stored, and members' shares of them. */
  Stored stored() {
    return Share.stored(weights.stored());
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
