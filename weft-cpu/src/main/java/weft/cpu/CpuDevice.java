package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Confined;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.HostBlocks;
import weft.backend.HostStates;
import weft.backend.MemorySource;
import weft.backend.PreparedWeights;
import weft.backend.State;
import weft.backend.StatePool;
import weft.backend.Weights;
import weft.cpu.asm.AsmException;
import weft.cpu.asm.Pages;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.portable.Lanes;
import weft.cpu.team.Teams;
import weft.cpu.team.Workers;
import weft.experts.Traffic;
import weft.ir.Op;
import weft.ir.Slot;
import weft.lir.Launch;
import weft.lir.Program;
import weft.lir.Stored;
import weft.lir.Target;

/** An open CPU: owns its worker threads. */
final class CpuDevice implements Device, Target {
  private final Backend.Options options;
  private final Workers workers;
  private final Optional<KernelLibrary> library;
  private final List<String> remarks;
  private final MemorySource memory;

  /** Weights are read from one end to the other: large pages spare looks at the table of pages. */
  private final MemorySource slots;

  private final Optional<CarvedBlocks> carved;
  private final HostStates states;
  private volatile Optional<CpuWeights> prepared = Optional.empty();

  /** All programs of a device share its workers. */
  private final Confined use = new Confined("the device");

  /** With no library the portable kernels serve. */
  CpuDevice(Backend.Options options, Optional<KernelLibrary> library, List<String> remarks) {
    this.options = options;
    this.library = library;
    this.remarks = new ArrayList<>(remarks);
    if (library.isEmpty() && options.experts().isPresent()) {
      this.remarks.add("the portable kernels read experts where they are mapped: no budget");
    }
    this.memory = library.isPresent() ? new SystemMemory(Pages.open()) : MemorySource.ARENA;
    this.slots = library.isPresent() ? Pages.open()::allocateLarge : MemorySource.ARENA;
    this.carved = library.map(_ -> new CarvedBlocks(Pages.open()));
    HostBlocks blocks = carved.<HostBlocks>map(each -> each).orElse(HostBlocks.ARENA);
    this.states = new HostStates(options.kvType(), blocks, options.memoryBudget());
    this.workers =
        new Workers(
            options.threads().orElse(Runtime.getRuntime().availableProcessors()), memory, library);
  }

  @Override
  public Target target() {
    return this;
  }

  @Override
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  @Override
  public String name() {
    return library
        .map(l -> "cpu-" + l.isa().spelling())
        .orElseGet(() -> "cpu-portable-" + Lanes.COUNT);
  }

  /** Every op: what has no vector kernel is served by the reference. */
  @Override
  public boolean takes(Op op, Stored weights) {
    return true;
  }

  private boolean isForced(Launch launch) {
    return options.forcedToReference().contains(launch.op().mnemonic());
  }

  @Override
  public State state(List<Slot> slots) {
    return Refusal.declared(() -> states.open(slots));
  }

  @Override
  public StatePool pool() {
    return states.pool();
  }

  @Override
  public MemorySource memory() {
    return memory;
  }

  @Override
  public void keepResident(MemorySegment mapped) {
    try {
      Pages.open().keepResident(mapped);
    } catch (AsmException e) {
      throw new BackendException(
          "the system does not keep %d bytes of the model resident (%s); raise the limit of locked memory (ulimit -l), or use --load copy"
              .formatted(mapped.byteSize(), e.getMessage()),
          e);
    }
  }

  @Override
  public PreparedWeights prepare(Weights weights) {
    // The portable kernels read experts where they are mapped.
    var budget = library.flatMap(_ -> options.experts());
    var cpu = new CpuWeights(weights, this, memory, slots, budget);
    // The first are the model's own; those of a tower have no experts.
    if (prepared.isEmpty()) prepared = Optional.of(cpu);
    return cpu;
  }

  @Override
  public Optional<Traffic> experts() {
    return prepared.flatMap(CpuWeights::traffic);
  }

  @Override
  public Executable load(Program program, PreparedWeights given) {
    var weights = CpuWeights.of(this, given);
    var teams = new Teams(workers, options.threads().isEmpty());
    return Refusal.declared(
        () ->
            new CpuExecutable(
                program, weights, memory, use, teams, library, states, l -> !isForced(l)));
  }

  /** Waits for a step that runs. */
  @Override
  public void close() {
    if (!use.close()) return;
    workers.close();
    library.ifPresent(KernelLibrary::close);
    states.close();
    carved.ifPresent(CarvedBlocks::close);
  }
}
