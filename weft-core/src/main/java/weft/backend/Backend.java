package weft.backend;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import weft.experts.ExpertMemory;

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

  /** Whether it is this machine's best and serves where none is asked for. */
  default boolean isPreferred() {
    return false;
  }

  /** Opens the device, or throws a {@link BackendException} that says why it cannot be had. */
  Device open(Options options);

  /** What a caller may choose of a device: {@link #standard}, and what differs from it. */
  final class Options {
    public static final String AUTO = "auto";

    /** As many workers as any machine may have: more than cores are right, only slow. */
    public static final int MOST_THREADS = 64;

    /** On large machines, so many for each core: what waits costs more than what it adds. */
    public static final int MOST_THREADS_A_CORE = 4;

    private final int ordinal;
    private final OptionalInt threads;
    private final String isa;
    private final KvType kvType;
    private final Set<String> forcedToReference;
    private final OptionalLong memoryBudget;
    private final Optional<ExpertMemory> experts;
    private final boolean isAwaiting;
    private final CodeStore code;

    private Options(
        int ordinal,
        OptionalInt threads,
        String isa,
        KvType kvType,
        Set<String> forcedToReference,
        OptionalLong memoryBudget,
        Optional<ExpertMemory> experts,
        boolean isAwaiting,
        CodeStore code) {
      if (ordinal < 0) {
        throw new BackendException("devices are counted from 0, got device " + ordinal);
      }
      threads.ifPresent(Options::requireThreads);
      if (memoryBudget.isPresent() && memoryBudget.getAsLong() < 1) {
        throw new BackendException(
            "a memory budget is at least 1 byte, got " + memoryBudget.getAsLong());
      }
      this.ordinal = ordinal;
      this.threads = threads;
      this.isa = isa;
      this.kvType = kvType;
      this.forcedToReference = Set.copyOf(forcedToReference);
      this.memoryBudget = memoryBudget;
      this.experts = experts;
      this.isAwaiting = isAwaiting;
      this.code = code;
    }

    /**
     * The backend's first device, its choice of threads, the best instruction set, float32 keys and
     * values, as much memory as there is, experts where the checkpoint has them, and compiled code
     * for this process alone.
     */
    public static Options standard() {
      return new Options(
          0,
          OptionalInt.empty(),
          AUTO,
          KvType.F32,
          Set.of(),
          OptionalLong.empty(),
          Optional.empty(),
          false,
          CodeStore.NONE);
    }

    /** Which of a backend's devices, counted from 0. */
    public int ordinal() {
      return ordinal;
    }

    /**
     * The threads that do every step together; where none are said the device takes every core, or
     * fewer for a step that they would only disturb each other in.
     */
    public OptionalInt threads() {
      return threads;
    }

    /** The instruction set by name, or "auto". */
    public String isa() {
      return isa;
    }

    /** How keys and values are kept. */
    public KvType kvType() {
      return kvType;
    }

    /** The op kinds that the reference must serve. */
    public Set<String> forcedToReference() {
      return forcedToReference;
    }

    /** The most bytes that the states of all sequences may take together. */
    public OptionalLong memoryBudget() {
      return memoryBudget;
    }

    /** The budget of experts; without one all of them are read where the checkpoint has them. */
    public Optional<ExpertMemory> experts() {
      return experts;
    }

    /** Whether a device that is told of launches waits after each: a fault then names its own. */
    public boolean isAwaitingLaunches() {
      return isAwaiting;
    }

    public Options awaitingLaunches() {
      return new Options(
          ordinal, threads, isa, kvType, forcedToReference, memoryBudget, experts, true, code);
    }

    public Options withOrdinal(int device) {
      return new Options(
          device, threads, isa, kvType, forcedToReference, memoryBudget, experts, isAwaiting, code);
    }

    public Options withThreads(int count) {
      return new Options(
          ordinal,
          OptionalInt.of(count),
          isa,
          kvType,
          forcedToReference,
          memoryBudget,
          experts,
          isAwaiting,
          code);
    }

    public Options withIsa(String name) {
      return new Options(
          ordinal,
          threads,
          name,
          kvType,
          forcedToReference,
          memoryBudget,
          experts,
          isAwaiting,
          code);
    }

    public Options withKvType(KvType type) {
      return new Options(
          ordinal, threads, isa, type, forcedToReference, memoryBudget, experts, isAwaiting, code);
    }

    public Options withForcedToReference(Set<String> mnemonics) {
      return new Options(
          ordinal, threads, isa, kvType, mnemonics, memoryBudget, experts, isAwaiting, code);
    }

    public Options withMemoryBudget(long bytes) {
      return new Options(
          ordinal,
          threads,
          isa,
          kvType,
          forcedToReference,
          OptionalLong.of(bytes),
          experts,
          isAwaiting,
          code);
    }

    public Options withExperts(ExpertMemory memory) {
      return new Options(
          ordinal,
          threads,
          isa,
          kvType,
          forcedToReference,
          memoryBudget,
          Optional.of(memory),
          isAwaiting,
          code);
    }

    /** Where code that a device compiles is kept, and found by a later process. */
    public CodeStore code() {
      return code;
    }

    public Options withCode(CodeStore store) {
      return new Options(
          ordinal,
          threads,
          isa,
          kvType,
          forcedToReference,
          memoryBudget,
          experts,
          isAwaiting,
          store);
    }

    /** Throws where another than a backend's only device is meant. */
    public void requireOnlyDevice(String backend) {
      if (ordinal != 0) {
        throw new BackendException(
            "the " + backend + " backend has one device, device 0, but was asked for " + ordinal);
      }
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
  }
}
