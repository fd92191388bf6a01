package weft.cuda;

import weft.backend.Backend;
import weft.backend.Device;

/** The cuda backend over queues: the device's number says in what manner they are worked off. */
public final class LateBackend implements Backend {
  @Override
  public String name() {
    return "late";
  }

  @Override
  public Device open(Options options) {
    var manner = LateDriver.Manner.values()[options.ordinal()];
    return new CudaDevice(new LateDriver(manner), options);
  }
}
