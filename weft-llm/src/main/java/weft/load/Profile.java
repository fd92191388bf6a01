package weft.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import weft.backend.Backend;
import weft.backend.KvType;
import weft.compile.Pipeline;
import weft.format.Loading;
import weft.ir.Op;

/**
 * How a model is compiled and run, for prefill and decode apart; what is not said is chosen by the
 * backend's measured default.
 *
 * <p>A value, made by the {@code with} methods; safe for all threads.
 */
public final class Profile {
  /**
   * What a phase may choose: its specialization, fusions left out, op kinds the reference serves.
   */
  public record Choices(
      Specialization specialization, Set<String> withoutFusions, Set<String> forcedToReference) {
    public Choices {
      withoutFusions = Set.copyOf(withoutFusions);
      forcedToReference = Set.copyOf(forcedToReference);
      for (var fusion : withoutFusions) {
        if (!Pipeline.fusions().contains(fusion)) {
          throw new LoadException(
              "no fusion is called " + fusion + "; there are " + Pipeline.fusions());
        }
      }
      for (var op : forcedToReference) {
        if (!Op.mnemonics().contains(op)) {
          throw new LoadException("no op is called " + op + "; there are " + Op.mnemonics());
        }
      }
    }

    public static Choices with(Specialization specialization) {
      return new Choices(specialization, Set.of(), Set.of());
    }
  }

  private final Map<Phase, Choices> phases;
  private final Optional<Integer> threads;
  private final Optional<KvType> kvType;
  private final Optional<Loading> loading;

  Profile(
      Map<Phase, Choices> phases,
      Optional<Integer> threads,
      Optional<KvType> kvType,
      Optional<Loading> loading) {
    phases = Map.copyOf(phases);
    threads.ifPresent(Backend.Options::requireThreads);
    for (var phase : Phase.values()) {
      if (!phases.containsKey(phase)) throw new LoadException("a profile says nothing of " + phase);
    }
    this.phases = phases;
    this.threads = threads;
    this.kvType = kvType;
    this.loading = loading;
  }

  /**
   * Prefill in buckets, since its buffers grow with the step; decode in one program, since its
   * buffers are small and a recompilation would stall a reply.
   */
  public static Profile standard() {
    var phases = new EnumMap<Phase, Choices>(Phase.class);
    phases.put(Phase.PREFILL, Choices.with(Specialization.named("buckets")));
    phases.put(Phase.DECODE, Choices.with(Specialization.named("symbolic")));
    return new Profile(phases, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Profile with(Phase phase, Choices choices) {
    var changed = new EnumMap<>(phases);
    changed.put(phase, choices);
    return new Profile(changed, threads, kvType, loading);
  }

  /** The ops that some phase leaves to the reference; a device serves both phases alike. */
  public Set<String> forcedToReference() {
    return phases.values().stream()
        .flatMap(choices -> choices.forcedToReference().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  public Profile withThreads(int count) {
    return new Profile(phases, Optional.of(count), kvType, loading);
  }

  public Profile withKvType(KvType type) {
    return new Profile(phases, threads, Optional.of(type), loading);
  }

  public Profile withLoading(Loading way) {
    return new Profile(phases, threads, kvType, Optional.of(way));
  }

  public Map<Phase, Choices> phases() {
    return phases;
  }

  public Optional<Integer> threads() {
    return threads;
  }

  public Optional<KvType> kvType() {
    return kvType;
  }

  public Optional<Loading> loading() {
    return loading;
  }
}
