package weft.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.HostMemory;
import weft.backend.HostWeights;
import weft.backend.MemorySource;
import weft.backend.PreparedWeights;
import weft.backend.Weights;
import weft.cpu.launch.Mixture;
import weft.cpu.residency.ExpertCache;
import weft.cpu.residency.ExpertLayer;
import weft.experts.ExpertMemory;
import weft.experts.Traffic;
import weft.ir.Op;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;

/** Tensors where their checkpoint has them, and the experts that are kept in slots; owns those. */
final class CpuWeights implements PreparedWeights {
  private final Weights weights;
  private final HostWeights host;
  private final Device owner;
  private final MemorySource slots;
  private final Optional<ExpertMemory> budget;
  private volatile Optional<ExpertCache> experts = Optional.empty();

  /**
   * @param slots where memory for experts comes from
   */
  CpuWeights(
      Weights weights,
      Device owner,
      MemorySource source,
      MemorySource slots,
      Optional<ExpertMemory> budget) {
    this.weights = weights;
    this.host = new HostWeights(weights, source, owner);
    this.owner = owner;
    this.slots = slots;
    this.budget = budget;
  }

  /** The weights as this device prepared them; any others are refused. */
  static CpuWeights of(Device owner, PreparedWeights prepared) {
    if (prepared instanceof CpuWeights cpu && cpu.owner == owner) return cpu;
    throw new BackendException(
        "weights that another device has prepared; prepare them with the device that runs the"
            + " program");
  }

  HostWeights host() {
    return host;
  }

  /**
   * The experts in slots, for the layers of the first program that has any; what another program
   * has besides is read where it is mapped.
   */
  Optional<ExpertCache> experts(Program program, HostMemory memory) {
    if (budget.isEmpty() || experts.isPresent()) return experts;
    var layers = new ArrayList<ExpertLayer>();
    for (var launch : program.steps()) {
      if (launch.op() instanceof Op.Experts op) layers.add(layer(launch, op, memory));
    }
    if (!layers.isEmpty()) {
      var memoryBudget = budget.get();
      experts =
          weights.reader().map(reader -> ExpertCache.open(layers, reader, memoryBudget, slots));
    }
    return experts;
  }

  private static ExpertLayer layer(Launch launch, Op.Experts op, HostMemory memory) {
    var tensors = new ArrayList<Weights.Tensor>();
    for (var weight : List.of(op.gate(), op.up(), op.down())) {
      tensors.add(memory.tensor((Operand.Weight) launch.operand(weight)));
    }
    return new ExpertLayer(
        tensors.getFirst().name(), tensors.stream().map(Mixture::experts).toList());
  }

  Optional<Traffic> traffic() {
    return experts.map(ExpertCache::traffic);
  }

  @Override
  public void close() {
    experts.ifPresent(ExpertCache::close);
    experts = Optional.empty();
    host.close();
  }
}
