package weft.cuda;

import java.util.function.Supplier;
import weft.backend.Backend;
import weft.backend.Device;
import weft.cuda.driver.Driver;
import weft.cuda.interpret.InterpretedDriver;

/** The cuda backend over an interpreter of its kernels in the place of a GPU and its driver. */
public final class InterpretedBackend implements Backend {
  private static Supplier<Driver> drivers = InterpretedDriver::new;

  /** Opens devices of these drivers meanwhile. */
  static synchronized void with(Supplier<Driver> others, Runnable meanwhile) {
    drivers = others;
    try {
      meanwhile.run();
    } finally {
      drivers = InterpretedDriver::new;
    }
  }

  @Override
  public String name() {
    return "interpreted";
  }

  @Override
  public Device open(Options options) {
    options.requireOnlyDevice(name());
    return new CudaDevice(drivers.get(), options);
  }
}
