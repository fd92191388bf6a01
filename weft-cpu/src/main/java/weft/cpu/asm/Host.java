package weft.cpu.asm;

/**
 * Whether this process may run emitted code, and on what; asked once and reported, never hidden.
 */
public sealed interface Host {
  /** Emitted code runs, at any level that the features include. */
  record Emits(CpuFeatures features, Isa best) implements Host {}

  /** Emitted code does not run here, and the portable kernels must serve. */
  record Refuses(String why) implements Host {}

  static Host probe() {
    try {
      var features = CpuFeatures.detect();
      return features
          .best()
          .<Host>map(best -> new Emits(features, best))
          .orElseGet(() -> new Refuses(features.brand() + " lacks AVX2, FMA or F16C"));
    } catch (AsmException e) {
      return new Refuses(String.valueOf(e.getMessage()));
    }
  }
}
