package weft.load;

import java.util.TreeMap;
import weft.compile.Pass;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.ir.Op;
import weft.lir.Stored;

/**
 * What a graph's programs are made of, the sizes of steps aside: the target, the passes, the graph,
 * and how each tensor is stored, for a target may take an op in one encoding and not in another.
 */
final class ProgramKey {
  private ProgramKey() {}

  static String of(Pipeline pipeline, Graph graph, Stored weights) {
    var encodings = new TreeMap<String, String>();
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Weight(var name, _)) {
        encodings.put(name, weights.encoding(name).name());
      }
    }
    return pipeline.target().name()
        + "\n"
        + pipeline.passes().stream().map(Pass::name).toList()
        + "\n"
        + SealedFolder.hash(graph + "\n" + encodings);
  }
}
