package weft.load;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import weft.backend.Backend;
import weft.backend.Device;
import weft.mesh.MeshDevice;

/** The backends on this class or module path. Safe for all threads. */
public final class Backends {
  /** The one that is always there. */
  static final String CPU = "cpu";

  private Backends() {}

  /** The name of the one that serves where none is asked for. */
  public static String preferred() {
    return all().stream()
        .map(ServiceLoader.Provider::get)
        .filter(Backend::isPreferred)
        .map(Backend::name)
        .findFirst()
        .orElse(CPU);
  }

  /** The names that {@link #open} takes. */
  public static List<String> names() {
    return all().stream().map(found -> found.get().name()).toList();
  }

  /** The instruction sets of all of them, by the names that their options take. */
  public static List<String> instructionSets() {
    var sets = all().stream().flatMap(found -> found.get().instructionSets().stream());
    return Stream.concat(sets, Stream.of(Backend.Options.AUTO)).distinct().toList();
  }

  /** Opens a device by its backend's name; the caller closes it. */
  public static Device open(String name, Backend.Options options) {
    return all().stream()
        .map(ServiceLoader.Provider::get)
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new LoadException("no backend is called " + name + "; here are " + names()))
        .open(options);
  }

  /**
   * Opens devices by their backend's name and their numbers, several as one that they are the
   * members of; the caller closes it.
   */
  static Device open(String name, Backend.Options options, List<Integer> ordinals) {
    if (ordinals.size() == 1) return open(name, options.withOrdinal(ordinals.getFirst()));
    if (options.experts().isPresent()) {
      throw new LoadException(
          "experts in a budget of memory are for one device, but %d are named"
              .formatted(ordinals.size()));
    }
    var members = new ArrayList<Device>();
    try {
      for (int ordinal : ordinals) members.add(open(name, options.withOrdinal(ordinal)));
      return new MeshDevice(members);
    } catch (RuntimeException | Error e) {
      members.forEach(Device::close);
      throw e;
    }
  }

  private static List<ServiceLoader.Provider<Backend>> all() {
    return ServiceLoader.load(Backend.class, Backends.class.getClassLoader()).stream().toList();
  }
}
