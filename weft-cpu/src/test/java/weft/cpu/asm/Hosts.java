package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;

/**
 * What tests that run emitted code ask before they do. A level that this machine has not is left
 * out; {@code -Dweft.require.isa=avx2,vnni} names levels whose absence is a failure.
 */
public final class Hosts {
  private static final String SWITCH = "weft.require.isa";

  private Hosts() {}

  public static void assumeEmits() {
    levels();
  }

  public static void assumeRuns(Isa isa) {
    assumeTrue(
        levels().contains(isa), () -> "SKIPPED: this machine does not run " + isa.spelling());
  }

  /** The levels of this machine; aborts the test, saying why, where emitted code cannot run. */
  public static List<Isa> levels() {
    return levels(Host.probe(), required(System.getProperty(SWITCH, "")));
  }

  static List<Isa> levels(Host host, List<Isa> required) {
    return switch (host) {
      case Host.Emits(CpuFeatures features, Isa _) -> {
        assertThat(features.levels())
            .as("levels of this machine, %s, for -D%s", features.brand(), SWITCH)
            .containsAll(required);
        yield features.levels();
      }
      case Host.Refuses(String why) when required.isEmpty() ->
          abort("SKIPPED: emitted code cannot run here: " + why);
      case Host.Refuses(String why) ->
          fail("-D" + SWITCH + " wants " + required + ", but emitted code cannot run here: " + why);
    };
  }

  /** Names of levels with commas between them. */
  static List<Isa> required(String names) {
    return Arrays.stream(names.split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(
            name ->
                Isa.named(name)
                    .orElseThrow(
                        () ->
                            new AssertionError(
                                "-D" + SWITCH + " names " + name + ", which is no level")))
        .toList();
  }
}
