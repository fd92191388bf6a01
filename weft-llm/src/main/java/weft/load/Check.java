package weft.load;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import weft.format.Loading;

/**
 * What a model needs to run on a device, and which kernels serve it: found with its files mapped,
 * before its weights are read. A value, safe for all threads.
 *
 * @param family of the model
 * @param loading how its weights would be had
 * @param phases how each phase's largest steps are compiled and served
 * @param weights bytes of its files
 * @param programs bytes of buffers that the programs of both phases take
 * @param text bytes of keys and values of the longest text
 * @param context how many tokens that has
 * @param fitting how many tokens a text may have beside all else in what is available; as many as
 *     the context where the system does not say
 * @param machine what there is
 */
public record Check(
    String family,
    Loading loading,
    Map<Phase, Explanation> phases,
    long weights,
    long programs,
    long text,
    int context,
    int fitting,
    MachineMemory machine) {
  public Check {
    phases = Map.copyOf(phases);
  }

  /** Of a model that would be loaded with these choices. */
  public static Check of(Path path, LoadOptions options) {
    if (options.dequantized().isPresent()) {
      throw new LoadException("a check looks at packed weights; it cannot be of expanded ones");
    }
    var machine = MachineMemory.now();
    try (var model = LanguageModel.load(path, options.looking())) {
      var phases = new EnumMap<Phase, Explanation>(Phase.class);
      for (var phase : Phase.values()) phases.put(phase, model.explain(phase));
      long programs =
          phases.values().stream().mapToLong(each -> each.stepBytes() + each.programBytes()).sum();
      long weights = model.checkpoint().fileBytes();
      var compiled = model.compiled();
      long budget = compiled.memory().budget();
      long left = machine.available().orElse(Long.MAX_VALUE) - weights - programs;
      return new Check(
          model.family().name(),
          options.loading().or(options.profile()::loading).orElse(Loading.MAP),
          phases,
          weights,
          programs,
          Math.min(budget, compiled.bytesFor(model.contextLength())),
          model.contextLength(),
          longest(compiled, Math.min(left, budget)),
          machine);
    }
  }

  /** The most tokens whose keys and values take no more. */
  private static int longest(CompiledModel model, long bytes) {
    int fits = 0;
    int tooLong = model.contextLength() + 1;
    while (tooLong - fits > 1) {
      int middle = fits + (tooLong - fits) / 2;
      if (model.bytesFor(middle) <= bytes) fits = middle;
      else tooLong = middle;
    }
    return fits;
  }

  /** All of it together, with the longest text. */
  public long total() {
    return weights + programs + text;
  }

  /** What is missing for texts of so many tokens, as a sentence; empty where nothing is. */
  public Optional<String> missing(int tokens) {
    if (fitting >= tokens) return Optional.empty();
    return Optional.of(
        "weights take %d MiB, programs %d MiB and a text of %d tokens %d MiB, but %d MiB are available"
                .formatted(
                    weights >> 20,
                    programs >> 20,
                    context,
                    text >> 20,
                    machine.available().orElse(0) >> 20)
            + (fitting > 0 ? "; texts of up to " + fitting + " tokens fit" : ""));
  }
}
