package weft.cuda;

import weft.backend.Backend;
import weft.backend.Device;
import weft.cuda.driver.LibCuda;

/** NVIDIA's GPUs of compute capability 8.0 and later, through their driver. */
public final class CudaBackend implements Backend {
  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public boolean isPreferred() {
    return LibCuda.isPresent();
  }

  @Override
  public Device open(Options options) {
    var launches =
        options.isAwaitingLaunches() ? LibCuda.Launches.SYNCHRONOUS : LibCuda.Launches.QUEUED;
    return new CudaDevice(LibCuda.open(options.ordinal(), launches), options);
  }
}
