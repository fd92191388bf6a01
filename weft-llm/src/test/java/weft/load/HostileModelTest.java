package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models of every family and weights of every type, damaged in ways that a file may be: a text or a
 * sentence comes back, never a signal. A day's seed chooses the damages; {@code
 * -Dweft.guard.seed=N} repeats one, {@code -Dweft.guard.damages=100} makes more.
 */
class HostileModelTest {
  private static final long SEED =
      Long.getLong("weft.guard.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  private static final int DAMAGES = Integer.getInteger("weft.guard.damages", 3);

  @TempDir Path folder;

  @Test
  void noWeightsEndTheProcess() throws IOException, InterruptedException {
    System.out.println("hostile models: -Dweft.guard.seed=" + SEED);
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+SuppressFatalErrorMessage",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                HostileRun.class.getName(),
                folder.toString()));
    command.add(Golden.folder().resolve("gguf").toAbsolutePath().toString());
    command.addAll(List.of(Long.toString(SEED), Integer.toString(DAMAGES)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    int status = process.waitFor();
    assertThat(status).as(() -> story(lines, status)).isZero();
    assertThat(lines.getLast()).startsWith(HostileRun.DONE);
    System.out.println(lines.getLast());
  }

  /** The last case that was begun, and what was said after it. */
  private static String story(List<String> lines, int status) {
    int last = lines.size() - 1;
    while (last > 0 && !lines.get(last).startsWith(HostileRun.ABOUT_TO)) last--;
    return "the process ended with status "
        + status
        + ": "
        + String.join("\n", lines.subList(last, lines.size()));
  }
}
