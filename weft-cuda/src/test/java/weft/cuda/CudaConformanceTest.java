package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.conformance.ConformanceKit;
import weft.conformance.Precision;

/**
 * Every op in every layout and encoding against the reference: in a build a sample on the
 * interpreter, by weft-bench/cuda-kit all of it, there or on a GPU.
 */
class CudaConformanceTest {
  private static final int SAMPLE = 1;

  /** What the interpreter takes long for. */
  private static final Pattern LONG =
      Pattern.compile("wide|products|attention|see each|norms|many");

  @Test
  void computesWhatTheReferenceDoes() {
    try (var kit = new ConformanceKit()) {
      var names =
          KitSettings.chosen(
              kit.names().stream()
                  .filter(name -> KitSettings.hasTime() || !LONG.matcher(name).find())
                  .toList(),
              SAMPLE);
      var backend = ConformanceKit.backend(KitSettings.backend());
      assertThat(
              kit.failures(
                  backend, Backend.Options.standard(), Precision.HALVES, Set.copyOf(names)))
          .as("rows %s", names)
          .isEmpty();
    }
  }

  @Test
  void keepsItsStatesAndRefusesAsEveryBackendDoes() {
    assumeTrue(KitSettings.hasTime(), "takes the interpreter a minute: weft-bench/cuda-kit");
    try (var kit = new ConformanceKit()) {
      var backend = ConformanceKit.backend(KitSettings.backend());
      assertThat(kit.contracts(backend, Backend.Options.standard())).isEmpty();
    }
  }
}
