package weft.cuda;

import weft.backend.Backend;
import weft.backend.Device;
import weft.cuda.interpret.InterpretedDriver;

/** The cuda backend over an interpreter of its kernels in the place of a GPU and its driver. */
public final class InterpretedBackend implements Backend {
  @Override
  public String name() {
    return "interpreted";
  }

  @Override
  public Device open(Options options) {
    options.requireOnlyDevice(name());
    return new CudaDevice(new InterpretedDriver(), options);
  }
}
