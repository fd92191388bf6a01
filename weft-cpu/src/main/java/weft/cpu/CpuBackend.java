package weft.cpu;

import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Device;

/** The CPU: as many workers as asked for, with the portable vector kernels. */
public final class CpuBackend implements Backend {
  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Device open(Options options) {
    if (!isVectorApiPresent()) {
      throw new BackendException(
          "the cpu backend needs the JDK's vector module: start java with"
              + " --add-modules jdk.incubator.vector, or use --backend reference");
    }
    return new CpuDevice(options);
  }

  private static boolean isVectorApiPresent() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  }
}
