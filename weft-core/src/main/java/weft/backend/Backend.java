package weft.backend;

import java.util.OptionalInt;
import java.util.Set;

/**
 * A kind of device, found by {@link java.util.ServiceLoader}; opening one gives what runs programs.
 */
public interface Backend {
  /** The name that {@code --backend} takes. */
  String name();

  /** Opens the device, or throws a {@link BackendException} that says why it cannot be had. */
  Device open(Options options);

  /**
   * What a caller may choose of a device.
   *
   * @param threads that do every step together; where none are said the device takes every core, or
   *     fewer for a step that they would only disturb each other in
   * @param isa the instruction set by name, or "auto"
   * @param kvType how keys and values are kept
   * @param forcedToReference the op kinds that the reference must serve
   */
  record Options(OptionalInt threads, String isa, KvType kvType, Set<String> forcedToReference) {
    public static final String AUTO = "auto";

    public Options {
      if (threads.orElse(1) < 1) {
        throw new BackendException("threads must be at least 1, got " + threads.getAsInt());
      }
      forcedToReference = Set.copyOf(forcedToReference);
    }

    /** The device's choice of threads, the best instruction set, float32 keys and values. */
    public static Options standard() {
      return new Options(OptionalInt.empty(), AUTO, KvType.F32, Set.of());
    }
  }
}
