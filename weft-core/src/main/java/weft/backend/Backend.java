package weft.backend;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A kind of device, found by {@link java.util.ServiceLoader}; opening one gives what runs programs.
 */
public interface Backend {
  /** The name that {@code --backend} takes. */
  String name();

  /** The names that {@link Options#isa} takes besides "auto"; none where there is one set. */
  default List<String> instructionSets() {
    return List.of();
  }

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

    /** As many workers as any machine may have: more than cores are right, only slow. */
    public static final int MOST_THREADS = 64;

    /** On large machines, so many for each core: what waits costs more than what it adds. */
    public static final int MOST_THREADS_A_CORE = 4;

    public Options {
      threads.ifPresent(Options::requireThreads);
      forcedToReference = Set.copyOf(forcedToReference);
    }

    /** The most workers that this machine takes. */
    public static int mostThreads() {
      return Math.max(
          MOST_THREADS, MOST_THREADS_A_CORE * Runtime.getRuntime().availableProcessors());
    }

    /** Throws where so many workers would take this machine longer to start than to work. */
    public static void requireThreads(int count) {
      if (count < 1) throw new BackendException("threads must be at least 1, got " + count);
      if (count > mostThreads()) {
        throw new BackendException(
            "threads must be at most " + mostThreads() + " on this machine, got " + count);
      }
    }

    /** The device's choice of threads, the best instruction set, float32 keys and values. */
    public static Options standard() {
      return new Options(OptionalInt.empty(), AUTO, KvType.F32, Set.of());
    }
  }
}
