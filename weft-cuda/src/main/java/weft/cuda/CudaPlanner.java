package weft.cuda;

import java.util.ArrayList;
import java.util.List;
import weft.backend.Backend;
import weft.backend.Planner;
import weft.backend.PreparedWeights;
import weft.backend.StatePool;
import weft.cuda.driver.Driver;
import weft.lir.Program;

/** Binds programs as they would be loaded, by a driver that only counts. */
final class CudaPlanner implements Planner {
  /** For the code of kernels, tables of pages, and blocks of states that are cut out of larger. */
  private static final long WORKSPACE = 64L << 20;

  /** Of a small device, no more than so small a part. */
  private static final long WORKSPACE_SHARE = 64;

  private final CudaDevice device;
  private final Driver driver;
  private final Kernels kernels;
  private final CudaStorage storage;
  private final StatePool pool;
  private final Backend.Options options;

  CudaPlanner(
      CudaDevice device,
      Driver driver,
      Kernels kernels,
      CudaStorage storage,
      StatePool pool,
      Backend.Options options) {
    this.device = device;
    this.driver = driver;
    this.kernels = kernels;
    this.storage = storage;
    this.pool = pool;
    this.options = options;
  }

  @Override
  public String device() {
    return driver.properties().name();
  }

  @Override
  public long totalBytes() {
    return driver.properties().memoryBytes();
  }

  @Override
  public long freeBytes() {
    return driver.freeBytes();
  }

  @Override
  public Demand demand(List<Program> programs, PreparedWeights weights) {
    var tensors = new PlannedDriver(driver.properties());
    var planned = CudaWeights.of(device, weights).by(tensors);
    var each = new ArrayList<OfProgram>();
    for (var program : programs) {
      var buffers = new PlannedDriver(driver.properties());
      try (var bound =
          new CudaExecutable(
              program, planned, buffers, kernels.by(buffers), storage, pool, options)) {
        each.add(new OfProgram(buffers.taken(), bound.services()));
      }
    }
    long workspace = Math.min(WORKSPACE, totalBytes() / WORKSPACE_SHARE);
    return new Demand(tensors.taken(), workspace, each);
  }
}
