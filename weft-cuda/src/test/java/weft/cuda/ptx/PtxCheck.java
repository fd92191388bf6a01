package weft.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** NVIDIA's own assembler, where it lies beside the project: it needs no GPU. */
public final class PtxCheck {
  private static final Path TOOL = Path.of("../../shared/gpu/ptx-check");

  private PtxCheck() {}

  /** What the assembler says of each text; skips the test where there is none. */
  public static List<String> assemble(String arch, Collection<String> texts) throws Exception {
    assumeTrue(Files.isExecutable(TOOL), "no PTX assembler at " + TOOL.toAbsolutePath());
    var folder = Files.createTempDirectory("ptx");
    var command = new ArrayList<>(List.of(TOOL.toAbsolutePath().toString(), "--arch", arch));
    int number = 0;
    for (var text : texts) {
      var file = folder.resolve("m" + number++ + ".ptx");
      Files.writeString(file, text);
      command.add(file.toString());
    }
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes());
    int status = process.waitFor();
    delete(folder);
    assumeTrue(status == 0 || said.contains(".ptx: "), "the assembler does not run: " + said);
    assertThat(status).as(said).isZero();
    return said.lines().toList();
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) Files.delete(file);
    }
    Files.delete(folder);
  }
}
