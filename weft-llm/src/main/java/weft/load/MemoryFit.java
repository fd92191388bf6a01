package weft.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import weft.backend.KvType;

/**
 * What a model needs of the memory that it would run in, and what there is: found before its
 * weights are read. A value, safe for all threads.
 *
 * @param holder whose memory it is: a device's name, or "this machine"
 * @param weights bytes of the weights as they would lie there
 * @param programs bytes that the programs of both phases take beside them
 * @param text bytes of keys and values of the longest text
 * @param context how many tokens that has
 * @param asked how many tokens a text must have room for
 * @param fitting how many tokens it may have beside all else in what is available; as many as the
 *     context where the system does not say
 * @param memory what there is
 * @param remedies what would do where a text of the asked length does not fit
 */
public record MemoryFit(
    String holder,
    long weights,
    long programs,
    long text,
    int context,
    int asked,
    int fitting,
    MachineMemory memory,
    List<String> remedies) {
  private static final String HERE = "this machine";

  /**
   * A file that is no more than so small a part of a large device fits without a plan, which takes
   * as long as a program to make: weights are at most twice the file there, buffers less than the
   * rest.
   */
  private static final int SMALL_SHARE = 4;

  private static final long LARGE_DEVICE = 8L << 30;

  public MemoryFit {
    remedies = List.copyOf(remedies);
  }

  /** In this machine's memory. */
  static MemoryFit here(CompiledModel model, long programs, LoadOptions options) {
    return of(HERE, model.fileBytes(), programs, MachineMemory.now(), model, options);
  }

  /** In memory that the device has of its own; empty where it has none. */
  static Optional<MemoryFit> onDevice(CompiledModel model, LoadOptions options) {
    return model
        .planner()
        .map(
            planner -> {
              var demand = model.demand().orElseThrow();
              long programs = demand.workspace();
              for (var phase : Phase.values()) {
                // What writes has a second program that is told ahead.
                int each = phase == Phase.DECODE && model.runsAhead() ? 2 : 1;
                programs +=
                    demand.programs().get(phase.ordinal()).bytes()
                        * each
                        * model.plan().specializations().get(phase).timesLargest();
              }
              var memory =
                  new MachineMemory(
                      OptionalLong.of(planner.totalBytes()), OptionalLong.of(planner.freeBytes()));
              return of(planner.device(), demand.weights(), programs, memory, model, options);
            });
  }

  private static MemoryFit of(
      String holder,
      long weights,
      long programs,
      MachineMemory memory,
      CompiledModel model,
      LoadOptions options) {
    var kv = model.plan().kvType();
    long budget = model.memory().budget();
    long left = memory.available().orElse(Long.MAX_VALUE) - weights - programs;
    long room = Math.min(left, budget);
    int context = model.contextLength();
    int asked = options.contextLength().orElse(1);
    int fitting = longest(model, kv, room);
    var remedies = new ArrayList<String>();
    if (fitting < asked) {
      if (model.bytesFor(asked) <= left) {
        remedies.add("--memory " + Math.ceilDiv(model.bytesFor(asked), 1L << 20) + "M");
      }
      if (fitting > 0) remedies.add("--context " + fitting);
      smaller(model, kv, asked, room).ifPresent(remedies::add);
      long most = weights + left - model.bytesFor(1);
      if (most < weights && most >> 20 > 0) {
        remedies.add("a file whose weights take at most %d MiB there".formatted(most >> 20));
      }
      if (!holder.equals(HERE)) {
        long here = MachineMemory.now().available().orElse(0);
        var remedy = HostRemedy.of(model, programs, asked);
        if (options.experts().isEmpty()) {
          remedy.onDevice(left - model.bytesFor(asked) + remedy.experts()).ifPresent(remedies::add);
        }
        remedy.within(here).ifPresent(remedies::add);
      }
    }
    return new MemoryFit(
        holder,
        weights,
        programs,
        Math.min(budget, model.bytesFor(context)),
        context,
        asked,
        fitting,
        memory,
        remedies);
  }

  /** The most tokens whose keys and values take no more. */
  private static int longest(CompiledModel model, KvType kv, long bytes) {
    int fits = 0;
    int tooLong = model.contextLength() + 1;
    while (tooLong - fits > 1) {
      int middle = fits + (tooLong - fits) / 2;
      if (model.bytesFor(kv, middle) <= bytes) fits = middle;
      else tooLong = middle;
    }
    return fits;
  }

  /** Keys and values of fewer bits, by which as long a text fits, or the longest that then does. */
  private static Optional<String> smaller(CompiledModel model, KvType kv, int asked, long room) {
    var types =
        Arrays.stream(KvType.values())
            .filter(type -> model.bytesFor(type, asked) < model.bytesFor(kv, asked))
            .toList();
    for (var type : types) {
      if (model.bytesFor(type, asked) <= room) return Optional.of(kept(type));
    }
    if (types.isEmpty()) return Optional.empty();
    int longest = longest(model, types.getLast(), room);
    return longest > longest(model, kv, room)
        ? Optional.of("--context " + longest + " with " + kept(types.getLast()))
        : Optional.empty();
  }

  private static String kept(KvType type) {
    var name = type.name().toLowerCase(Locale.ROOT);
    return "keys and values as %s (kv = \"%s\" in the profile)".formatted(name, name);
  }

  /** Whether it is this machine's memory, and not a device's own. */
  public boolean isHere() {
    return holder.equals(HERE);
  }

  /** All of it together, with the longest text. */
  public long total() {
    return weights + programs + text;
  }

  /** What is missing for a text of the asked length, as a sentence; empty where nothing is. */
  public Optional<String> missing() {
    if (fitting >= asked) return Optional.empty();
    return Optional.of(
        "weights take %d MiB, programs %d MiB and a text of %d tokens %d MiB, but of %s's %d MiB %d are available; %s"
            .formatted(
                weights >> 20,
                programs >> 20,
                context,
                text >> 20,
                holder,
                memory.total().orElse(0) >> 20,
                memory.available().orElse(0) >> 20,
                remedies.isEmpty()
                    ? "nothing that can be chosen would make it fit"
                    : "what would fit: " + String.join(", or ", remedies)));
  }

  /** Refuses a model that does not fit the device's own memory. */
  static void require(CompiledModel model, LoadOptions options) {
    var planner = model.planner();
    if (planner.isEmpty()) return;
    long needed = SMALL_SHARE * model.fileBytes();
    needed += 2 * model.bytesFor(options.contextLength().orElse(1));
    long free = planner.get().freeBytes();
    if (free >= LARGE_DEVICE && needed <= free) return;
    var fit = onDevice(model, options).orElseThrow();
    var missing = fit.missing();
    if (missing.isEmpty()) return;
    throw new LoadException(
        "the model does not fit the memory of " + fit.holder + ": " + missing.get());
  }
}
