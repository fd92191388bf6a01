package weft.load;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import weft.backend.Device;
import weft.backend.Executable;
import weft.lir.Bounds;
import weft.lir.Region;

/**
 * The programs of a tower that are ready: those of the last size, for the moments of a video, and
 * often the pictures of a prompt, have one size. Between pictures a system that is short of memory
 * may have theirs; those that are larger than a bound are closed behind each picture all the same,
 * since they count as memory of the process until it is short. Owns them; within the model's door.
 */
final class TowerPrograms implements AutoCloseable {
  /** What the buffers of all that are kept may take. */
  private static final long MOST_KEPT = 256L << 20;

  private final long most;
  private final Map<Plan, Executable> kept = new IdentityHashMap<>();

  /** Memory of a device is planned without towers: there nothing is kept. */
  TowerPrograms(Device device) {
    most = device.planner().isEmpty() ? MOST_KEPT : 0;
  }

  /** Runs the program of a plan and size, which is loaded unless it is there. */
  <T> T with(Plan plan, Bounds bounds, Supplier<Executable> load, Function<Executable, T> use) {
    var executable = take(plan, bounds, load);
    boolean stays = false;
    try {
      var result = use.apply(executable);
      stays = bytes() + bytes(executable) <= most;
      return result;
    } finally {
      if (stays) {
        executable.rest();
        kept.put(plan, executable);
      } else {
        executable.close();
      }
    }
  }

  /** What is there of another size goes before its successor comes. */
  private Executable take(Plan plan, Bounds bounds, Supplier<Executable> load) {
    var known = kept.remove(plan);
    if (known != null && known.program().bounds().equals(bounds)) return known;
    if (known != null) known.close();
    return load.get();
  }

  private long bytes() {
    return kept.values().stream().mapToLong(TowerPrograms::bytes).sum();
  }

  private static long bytes(Executable executable) {
    return executable.program().bytes(Region.Lifetime.STEP);
  }

  @Override
  public void close() {
    kept.values().forEach(Executable::close);
    kept.clear();
  }
}
