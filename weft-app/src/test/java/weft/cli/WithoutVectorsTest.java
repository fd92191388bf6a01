package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import weft.cpu.asm.Host;

/** A JVM that was given no flag: machine code of Weft's own needs none. */
class WithoutVectorsTest {
  private record Outcome(int status, String text) {}

  @BeforeEach
  void needsAMachineThatRunsEmittedCode() {
    assumeThat(Host.probe()).isInstanceOf(Host.Emits.class);
  }

  private static Outcome weft(String... arguments) throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java, "-cp", System.getProperty("java.class.path")));
    command.add("weft.cli.Main");
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), text);
  }

  @Test
  void everyLaunchOfTheBuiltInModelIsEmitted() throws Exception {
    var outcome = weft("explain");
    assertThat(outcome.status).as(outcome.text).isZero();
    assertThat(outcome.text).contains("emitted").doesNotContain("incubator");
    assertThat(outcome.text.lines().filter(line -> line.startsWith("step")))
        .isNotEmpty()
        .noneMatch(line -> line.contains(" portable ") || line.contains(" reference "));
  }

  @Test
  void portableKernelsSayWhichFlagTheyNeed() throws Exception {
    var outcome = weft("run", "--isa", "portable", "--tokens", "1,2", "--max-tokens", "1");
    assertThat(outcome.status).isNotZero();
    assertThat(outcome.text).contains("--add-modules jdk.incubator.vector");
  }
}
