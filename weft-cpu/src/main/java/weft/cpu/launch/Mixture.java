package weft.cpu.launch;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import weft.backend.Weights;
import weft.ir.Fn;
import weft.ir.Routing;

/** A mixture of experts bound to memory. */
public record Mixture(Routing routing, Bank bank, Rows2d x, Rows2d scores, Rows2d result) {
  /** The three weights of all experts. */
  public record Bank(Weights.Tensor gate, Weights.Tensor up, Weights.Tensor down, Fn fn) {}

  /** Each expert's packed rows of a weight, whether a file keeps experts together or apart. */
  public static List<MemorySegment> experts(Weights.Tensor weight) {
    int experts = weight.type().dim(0).fixed();
    int aPart = experts / weight.parts().size();
    long bytes = weight.rows() / experts * weight.rowBytes();
    return IntStream.range(0, experts)
        .mapToObj(e -> weight.parts().get(e / aPart).asSlice(e % aPart * bytes, bytes))
        .toList();
  }
}
