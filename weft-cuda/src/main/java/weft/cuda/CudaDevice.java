package weft.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.backend.Backend;
import weft.backend.Confined;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.NoMemoryException;
import weft.backend.Planner;
import weft.backend.PreparedWeights;
import weft.backend.SequenceState;
import weft.backend.State;
import weft.backend.StatePool;
import weft.backend.Weights;
import weft.cuda.driver.CudaException;
import weft.cuda.driver.Driver;
import weft.cuda.driver.OutOfDeviceMemoryException;
import weft.cuda.product.ProductKernels;
import weft.experts.Traffic;
import weft.ir.Op;
import weft.ir.Slot;
import weft.lir.Program;
import weft.lir.Stored;
import weft.lir.Target;

/** An open GPU: owns its driver, its kernels and the memory of its states. */
final class CudaDevice implements Device, Target {
  private final Driver driver;
  private final Backend.Options options;
  private final Kernels kernels;
  private final CudaStorage storage;
  private final StatePool pool;
  private final Confined use = new Confined("the device");
  private volatile Optional<CudaWeights> prepared = Optional.empty();

  CudaDevice(Driver driver, Backend.Options options) {
    this(driver, options, ProductKernels.UNPACKED_FROM);
  }

  /**
   * @param unpackedFrom rows from which packed weights become halves before they are multiplied
   */
  CudaDevice(Driver driver, Backend.Options options, int unpackedFrom) {
    this.driver = driver;
    this.options = options;
    this.kernels = new Kernels(driver, options.code(), unpackedFrom);
    this.storage = new CudaStorage(driver, kernels);
    this.pool = new StatePool(storage, options.memoryBudget().orElse(StatePool.UNBOUNDED));
  }

  @Override
  public Target target() {
    return this;
  }

  @Override
  public String name() {
    return "cuda-" + driver.properties().capability();
  }

  /** All but products that go through a function: those are followed by it. */
  @Override
  public boolean takes(Op op, Stored weights) {
    return !(op instanceof Op.Project p && p.epilogue() instanceof Op.Epilogue.Map);
  }

  @Override
  public int alignment() {
    return Driver.ALIGNMENT;
  }

  /** So many that tiles of weights and rows fill a large GPU; a prompt of them takes 20 ms. */
  @Override
  public int mostRows() {
    return 2048;
  }

  /** As many as kernels take that read weights once. */
  @Override
  public int mostWanted() {
    return ProductKernels.SOME;
  }

  @Override
  public State state(List<Slot> slots) {
    use.requireOpen();
    return new SequenceState(slots, options.kvType(), pool);
  }

  @Override
  public StatePool pool() {
    return pool;
  }

  @Override
  public PreparedWeights prepare(Weights weights) {
    var cuda = new CudaWeights(weights, this, driver, options.experts());
    // The first are the model's own; those of a tower have no experts.
    if (prepared.isEmpty()) prepared = Optional.of(cuda);
    return cuda;
  }

  @Override
  public Optional<Traffic> experts() {
    return prepared.flatMap(CudaWeights::slots).map(ExpertSlots::traffic);
  }

  @Override
  public Executable load(Program program, PreparedWeights weights) {
    use.requireOpen();
    try {
      return new CudaExecutable(
              program, CudaWeights.of(this, weights), driver, kernels, storage, pool, options)
          .ready();
    } catch (OutOfDeviceMemoryException e) {
      throw new NoMemoryException(e.getMessage(), e);
    }
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new CudaPlanner(this, driver, kernels, storage, pool, options));
  }

  /** Waits for all that was told; a device that is lost has nothing to wait for. */
  static void settle(Driver driver) {
    try {
      driver.synchronize();
    } catch (CudaException lost) {
      // Whoever is told of it asked for something; this is on the way out.
    }
  }

  @Override
  public List<String> remarks() {
    var remarks = new ArrayList<String>();
    if (!options.forcedToReference().isEmpty()) {
      remarks.add("the reference serves no launch on a GPU: what was asked of it is left out");
    }
    return remarks;
  }

  @Override
  public void close() {
    if (!use.close()) return;
    pool.close();
    kernels.close();
    storage.close();
    driver.close();
  }
}
