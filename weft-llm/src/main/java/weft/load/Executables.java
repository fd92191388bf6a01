package weft.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import weft.backend.Executable;
import weft.lir.Bounds;

/**
 * The only cache of executables: compiles a size the first time it is asked for, and closes the
 * least recently used of a phase when there are more than its specialization keeps. Owns them.
 */
final class Executables implements AutoCloseable {
  private record Key(Phase phase, Bounds bounds) {}

  private final Map<Phase, Specialization> specializations;
  private final Map<Phase, Bounds> limits;
  private final BiFunction<Phase, Bounds, Executable> compile;
  private final Map<Key, Executable> ready = new LinkedHashMap<>(16, 0.75f, true);

  Executables(
      Map<Phase, Specialization> specializations,
      Map<Phase, Bounds> limits,
      BiFunction<Phase, Bounds, Executable> compile) {
    this.specializations = Map.copyOf(specializations);
    this.limits = Map.copyOf(limits);
    this.compile = compile;
  }

  /** Whose programs run a step: decode's whatever fits them, for they are there already. */
  Phase phaseOf(Bounds step) {
    return limits.get(Phase.DECODE).covers(step) ? Phase.DECODE : Phase.PREFILL;
  }

  /** The largest step of those that this one is among. */
  Bounds limits(Bounds step) {
    return limits.get(phaseOf(step));
  }

  Executable forStep(Phase phase, Bounds step) {
    var specialization = specializations.get(phase);
    var key = new Key(phase, specialization.boundsFor(step, limits.get(phase)));
    var known = ready.get(key);
    if (known != null) return known;
    evict(phase, specialization.capacity());
    var made = compile.apply(phase, key.bounds);
    ready.put(key, made);
    return made;
  }

  /** Makes room for one more of this phase. */
  private void evict(Phase phase, int capacity) {
    var ofPhase = ready.keySet().stream().filter(k -> k.phase == phase).toList();
    for (int i = 0; i <= ofPhase.size() - capacity; i++) ready.remove(ofPhase.get(i)).close();
  }

  int size() {
    return ready.size();
  }

  @Override
  public void close() {
    ready.values().forEach(Executable::close);
    ready.clear();
  }
}
