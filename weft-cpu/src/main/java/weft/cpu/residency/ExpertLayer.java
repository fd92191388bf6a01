package weft.cpu.residency;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where the experts of one layer lie in their files.
 *
 * @param name of the first weight, by which programs find the layer
 * @param weights for each of the weights of an expert, that of every expert
 */
public record ExpertLayer(String name, List<List<MemorySegment>> weights) {
  public ExpertLayer {
    weights = weights.stream().map(List::copyOf).toList();
  }

  int experts() {
    return weights.getFirst().size();
  }

  /** The parts of one expert. */
  List<MemorySegment> parts(int expert) {
    return weights.stream().map(each -> each.get(expert)).toList();
  }
}
