package weft.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import weft.backend.Executable;
import weft.lir.Bounds;

/**
 * The only cache of executables: compiles a size the first time it is asked for, and closes the
 * least recently used of a phase and its outputs when there are more than its specialization keeps.
 * Owns them.
 */
final class Executables implements AutoCloseable {
  /** What tells executables apart. */
  record Key(Phase phase, Bounds bounds, Set<String> outputs) {}

  /** Makes an executable for steps of these bounds that computes these outputs. */
  @FunctionalInterface
  interface Compiler {
    Executable compile(Phase phase, Bounds bounds, Set<String> outputs);
  }

  private final Map<Phase, Specialization> specializations;
  private final Map<Phase, Bounds> limits;
  private final Compiler compiler;
  private final Map<Key, Executable> ready = new LinkedHashMap<>(16, 0.75f, true);

  Executables(
      Map<Phase, Specialization> specializations, Map<Phase, Bounds> limits, Compiler compiler) {
    this.specializations = Map.copyOf(specializations);
    this.limits = Map.copyOf(limits);
    this.compiler = compiler;
  }

  /** Whose programs run a step: decode's whatever fits them, for they are there already. */
  Phase phaseOf(Bounds step) {
    return limits.get(Phase.DECODE).covers(step) ? Phase.DECODE : Phase.PREFILL;
  }

  /** The largest step of those that this one is among. */
  Bounds limits(Bounds step) {
    return limits.get(phaseOf(step));
  }

  /** Whose executable runs a step. */
  Key keyOf(Phase phase, Bounds step, Set<String> outputs) {
    return new Key(phase, specializations.get(phase).boundsFor(step, limits.get(phase)), outputs);
  }

  Executable forStep(Phase phase, Bounds step, Set<String> outputs) {
    var key = keyOf(phase, step, outputs);
    var known = ready.get(key);
    if (known != null) return known;
    evict(key, specializations.get(phase).capacity());
    var made = compiler.compile(phase, key.bounds, outputs);
    ready.put(key, made);
    return made;
  }

  /** Makes room for one more of this phase and these outputs. */
  private void evict(Key fresh, int capacity) {
    var alike =
        ready.keySet().stream()
            .filter(k -> k.phase == fresh.phase && k.outputs.equals(fresh.outputs))
            .toList();
    for (int i = 0; i <= alike.size() - capacity; i++) ready.remove(alike.get(i)).close();
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
