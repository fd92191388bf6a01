package weft.conformance;

import java.util.Map;
import weft.backend.KvType;
import weft.backend.Weights;
import weft.ir.Graph;
import weft.lir.Stored;

/** One row of the kit: variants of an op as the outputs of a graph, its weights, and its steps. */
record Row(
    String name,
    Graph graph,
    Map<String, Weights.Tensor> tensors,
    Script script,
    KvType kvType,
    Exactness exactness) {
  Row {
    tensors = Map.copyOf(tensors);
  }

  /** How its tensors are stored. */
  Stored stored() {
    return name -> tensors.get(name).encoding();
  }

  /** Whether a tensor of it is in blocks. */
  boolean hasPacked() {
    return tensors.values().stream().anyMatch(t -> t.encoding().blockValues() > 1);
  }

  /** Whether a tensor of it has numbers of 16 bits. */
  boolean hasShortFloats() {
    return tensors.values().stream()
        .anyMatch(t -> t.encoding().blockValues() == 1 && t.encoding().bytes(1) == Short.BYTES);
  }

  @Override
  public String toString() {
    return name;
  }
}
