package weft.conformance.foreign;

import weft.backend.Backend;
import weft.backend.Device;

/** The backend called "foreign": what passes on it assumes nothing of the host. */
public final class ForeignBackend implements Backend {
  @Override
  public String name() {
    return "foreign";
  }

  @Override
  public Device open(Options options) {
    options.requireOnlyDevice(name());
    return new ForeignDevice(options);
  }
}
