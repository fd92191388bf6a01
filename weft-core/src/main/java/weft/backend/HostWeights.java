package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import weft.ir.Dim;
import weft.ir.Type;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.Region;

/**
 * Tensors where their checkpoint has them in this process's memory, and what programs compute from
 * tensors alone; owns the latter. A tensor is compared with what a program takes it for, and has
 * that shape: a kernel computes addresses from the one and reads the other.
 */
public final class HostWeights implements PreparedWeights {
  private final Arena arena = Arena.ofShared();
  private final Weights weights;
  private final MemorySource source;
  private final Device owner;
  private final Map<Operand.Weight, Weights.Tensor> tensors = new HashMap<>();
  private final Map<Setup, MemorySegment> computed = new HashMap<>();

  public HostWeights(Weights weights, MemorySource source, Device owner) {
    this.weights = weights;
    this.source = source;
    this.owner = owner;
  }

  /** The weights as this device prepared them; any others are refused. */
  public static HostWeights of(Device owner, PreparedWeights prepared) {
    if (prepared instanceof HostWeights host && host.owner == owner) return host;
    throw new BackendException(
        "weights that another device has prepared; prepare them with the device that runs the"
            + " program");
  }

  /** Compares everything that a program names with what there is, unless that was done before. */
  void bind(Program program) {
    for (var launches : List.of(program.setup(), program.steps())) {
      for (var launch : launches) {
        for (var operand : launch.operands()) {
          if (operand instanceof Operand.Weight weight) tensor(weight);
        }
      }
    }
  }

  Weights.Tensor tensor(Operand.Weight weight) {
    return tensors.computeIfAbsent(weight, this::bound);
  }

  /** What a program computes from tensors alone: {@code compute} writes it if nobody has. */
  MemorySegment computed(Setup setup, Region region, Consumer<MemorySegment> compute) {
    var known = computed.get(setup);
    if (known != null) return known;
    var fresh = source.allocate(region.bytes(), arena);
    compute.accept(fresh);
    computed.put(setup, fresh);
    return fresh;
  }

  private Weights.Tensor bound(Operand.Weight weight) {
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
    met.requireReadable();
    // Axes of one may lie elsewhere: the elements and their order are the same.
    return new Weights.Tensor(weight.name(), weight.type(), met.encoding(), met.parts());
  }

  private static List<Dim> withoutOnes(Type type) {
    return type.dims().stream().filter(d -> !d.equals(Dim.of(1))).toList();
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) arena.close();
  }
}
