package weft.cpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;

/**
 * Every emitted kernel over data that a damaged file may bring, with all memory between forbidden
 * pages, in a process of its own. A day's seed chooses the sizes; {@code -Dweft.guard.seed=N}
 * repeats one, {@code -Dweft.guard.sizes=1000} runs them all.
 */
class GuardTest {
  private static final long SEED =
      Long.getLong("weft.guard.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  private static final int SIZES = Integer.getInteger("weft.guard.sizes", 3);

  @TempDir Path folder;

  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  @Test
  void everyKernelOfTheLibraryHasACase() {
    assertThat(GuardCases.forgotten())
        .as("methods of KernelLibrary that GuardCases does not name")
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void noDataLeadsAKernelAstray(Isa isa) throws IOException, InterruptedException {
    System.out.println("guarded kernels at " + isa + ": -Dweft.guard.seed=" + SEED);
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+SuppressFatalErrorMessage",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                GuardedRun.class.getName(),
                isa.spelling(),
                Long.toString(SEED),
                Integer.toString(SIZES))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    var lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    int status = process.waitFor();
    assertThat(status).as(() -> story(lines, status)).isZero();
    assertThat(lines.getLast()).startsWith(GuardedRun.DONE);
    System.out.println(lines.getLast());
  }

  /** The last case that was begun, and what was said after it. */
  private static String story(List<String> lines, int status) {
    int last = lines.size() - 1;
    while (last > 0 && !lines.get(last).startsWith(GuardedRun.ABOUT_TO)) last--;
    return "the process ended with status "
        + status
        + ": "
        + String.join("\n", lines.subList(last, lines.size()));
  }
}
