package weft.cpu.asm;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.List;

/** What tests that run emitted code ask before they do. */
public final class Hosts {
  private Hosts() {}

  public static void assumeEmits() {
    levels();
  }

  /** The levels of this machine; aborts the test, saying why, where emitted code cannot run. */
  public static List<Isa> levels() {
    return switch (Host.probe()) {
      case Host.Emits(CpuFeatures features, Isa best) -> features.levels();
      case Host.Refuses(String why) -> abort("SKIPPED: emitted code cannot run here: " + why);
    };
  }
}
