package weft.load;

import java.util.ArrayList;
import java.util.ServiceLoader;
import weft.backend.Backend;
import weft.backend.Device;

/** The backends on this class or module path. */
public final class Backends {
  private Backends() {}

  /** Opens a device by its backend's name; the caller closes it. */
  public static Device open(String name, Backend.Options options) {
    var known = new ArrayList<String>();
    for (var backend : ServiceLoader.load(Backend.class, Backends.class.getClassLoader())) {
      if (backend.name().equals(name)) return backend.open(options);
      known.add(backend.name());
    }
    throw new LoadException("no backend is called " + name + "; here are " + known);
  }
}
