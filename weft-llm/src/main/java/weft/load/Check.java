package weft.load;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import weft.format.Loading;

/**
 * What a model needs to run on a device, and which kernels serve it: found with its files mapped,
 * before its weights are read. A value, safe for all threads.
 *
 * @param family of the model
 * @param loading how its weights would be had
 * @param phases how each phase's largest steps are compiled and served
 * @param memory what it needs, and what there is
 */
public record Check(
    String family, Loading loading, Map<Phase, Explanation> phases, MemoryFit memory) {
  public Check {
    phases = Map.copyOf(phases);
  }

  /** Of a model that would be loaded with these choices. */
  public static Check of(Path path, LoadOptions options) {
    if (options.dequantized().isPresent()) {
      throw new LoadException("a check looks at packed weights; it cannot be of expanded ones");
    }
    try (var model = LanguageModel.load(path, options.looking())) {
      var phases = new EnumMap<Phase, Explanation>(Phase.class);
      for (var phase : Phase.values()) phases.put(phase, model.explain(phase));
      long programs =
          phases.values().stream().mapToLong(each -> each.stepBytes() + each.programBytes()).sum();
      var compiled = model.compiled();
      return new Check(
          model.family().name(),
          options.loading().or(options.profile()::loading).orElse(Loading.MAP),
          phases,
          MemoryFit.onDevice(compiled, options)
              .orElseGet(() -> MemoryFit.here(compiled, programs, options)));
    }
  }
}
