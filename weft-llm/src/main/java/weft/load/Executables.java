package weft.load;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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

  /** A second one of a size, by the first: what one leaves stays while the other runs. */
  private final Map<Executable, Executable> twins = new HashMap<>();

  /** Those that no other is told behind. */
  private final Set<Executable> alone = new HashSet<>();

  private Optional<Last> last = Optional.empty();

  /** Whose executable ran the last step: token after token it is the same. */
  private record Last(
      Phase phase, int tokens, int wanted, Set<String> outputs, Executable executable) {
    private boolean is(Phase asked, Bounds step, Set<String> of) {
      // Sets of the same outputs that are not one are looked up.
      return asked == phase && step.tokens() == tokens && step.wanted() == wanted && of == outputs;
    }
  }

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
    if (last.isPresent() && last.get().is(phase, step, outputs)) return last.get().executable;
    var found = found(keyOf(phase, step, outputs));
    last = Optional.of(new Last(phase, step.tokens(), step.wanted(), outputs, found));
    return found;
  }

  private Executable found(Key key) {
    var known = ready.get(key);
    if (known != null) return known;
    last = Optional.empty();
    evict(key, specializations.get(key.phase).capacity());
    var made = compiler.compile(key.phase, key.bounds, key.outputs);
    ready.put(key, made);
    return made;
  }

  /**
   * Another executable for the steps that one runs, loaded the first time that it is asked for;
   * none for one that is left {@link #alone}.
   */
  Optional<Executable> twin(Executable one) {
    if (alone.contains(one)) return Optional.empty();
    var known = twins.get(one);
    if (known != null) return Optional.of(known);
    for (var entry : ready.entrySet()) {
      if (entry.getValue() != one) continue;
      var key = entry.getKey();
      var made = compiler.compile(key.phase, key.bounds, key.outputs);
      twins.put(one, made);
      twins.put(made, one);
      return Optional.of(made);
    }
    throw new IllegalStateException("an executable of another cache");
  }

  /** Has neither one nor its twin told behind the other as long as they live. */
  void leaveAlone(Executable one) {
    alone.add(one);
    var twin = twins.get(one);
    if (twin != null) alone.add(twin);
  }

  private void close(Executable one) {
    alone.remove(one);
    var twin = twins.remove(one);
    if (twin != null) {
      alone.remove(twin);
      twins.remove(twin);
      twin.close();
    }
    one.close();
  }

  /** Makes room for one more of this phase and these outputs. */
  private void evict(Key fresh, int capacity) {
    var alike =
        ready.keySet().stream()
            .filter(k -> k.phase == fresh.phase && k.outputs.equals(fresh.outputs))
            .toList();
    for (int i = 0; i <= alike.size() - capacity; i++) close(ready.remove(alike.get(i)));
  }

  int size() {
    return ready.size();
  }

  @Override
  public void close() {
    last = Optional.empty();
    ready.values().forEach(this::close);
    ready.clear();
  }
}
