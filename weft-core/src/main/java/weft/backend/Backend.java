package weft.backend;

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
   * What a caller may choose of a device: worker threads, the instruction set by name or "auto",
   * how keys and values are kept, and the op kinds that the reference must serve.
   */
  record Options(int threads, String isa, KvType kvType, Set<String> forcedToReference) {
    public static final String AUTO = "auto";

    public Options {
      if (threads < 1) throw new BackendException("threads must be at least 1, got " + threads);
      forcedToReference = Set.copyOf(forcedToReference);
    }

    /** Every core, the best instruction set, float32 keys and values. */
    public static Options standard() {
      int threads = Runtime.getRuntime().availableProcessors();
      return new Options(threads, AUTO, KvType.F32, Set.of());
    }
  }
}
