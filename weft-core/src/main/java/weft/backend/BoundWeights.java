package weft.backend;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weft.ir.Dim;
import weft.ir.Type;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * The tensors that a program names, each compared with what the program takes it for, and in that
 * shape: a kernel computes addresses from the one and reads the other.
 */
final class BoundWeights implements Weights {
  private final Map<String, Tensor> tensors = new HashMap<>();

  BoundWeights(Program program, Weights weights) {
    Stream.concat(program.setup().stream(), program.steps().stream())
        .flatMap(launch -> launch.operands().stream())
        .forEach(
            operand -> {
              if (operand instanceof Operand.Weight weight) {
                tensors.computeIfAbsent(weight.name(), name -> bound(weight, weights));
              }
            });
  }

  @Override
  public Tensor tensor(String name) {
    var tensor = tensors.get(name);
    if (tensor == null) throw new BackendException("the program names no tensor " + name);
    return tensor;
  }

  private static Tensor bound(Operand.Weight weight, Weights weights) {
    var met = weights.tensor(weight.name());
    if (met == null) {
      throw new BackendException(
          "no tensor " + weight.name() + " was given, which the program reads");
    }
    if (!withoutOnes(met.type()).equals(withoutOnes(weight.type()))) {
      throw new BackendException(
          "tensor %s is %s, but the program takes it for %s"
              .formatted(weight.name(), met.type(), weight.type()));
    }
    if (met.parts().size() > 1 && weight.type().rank() < 3) {
      throw new BackendException(
          "tensor %s %s comes in %d parts; only stacks of matrices may"
              .formatted(weight.name(), weight.type(), met.parts().size()));
    }
    for (var part : met.parts()) requireReadable(weight.name(), part);
    // Axes of one may lie elsewhere: the elements and their order are the same.
    return new Tensor(weight.name(), weight.type(), met.encoding(), met.parts());
  }

  private static void requireReadable(String name, MemorySegment part) {
    if (!part.isNative()) {
      throw new BackendException(
          "the bytes of tensor " + name + " lie on the Java heap, where emitted code cannot go");
    }
    if (!part.scope().isAlive()) {
      throw new BackendException("the bytes of tensor " + name + " were unmapped already");
    }
  }

  private static List<Dim> withoutOnes(Type type) {
    return type.dims().stream().filter(d -> !d.equals(Dim.of(1))).toList();
  }
}
