package weft.bench.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Inputs at which a worker died or got stuck: each is run once more, in a process of its own. */
record Suspects(Options options, Findings findings, PrintStream out) {
  private static final long PATIENCE_SECONDS = 60;

  void examine(Target target, byte[] input, Path workerLog)
      throws IOException, InterruptedException {
    var folder = options.work().resolve("suspects");
    Files.createDirectories(folder);
    var file = folder.resolve(target.name() + "-" + Long.toHexString(System.nanoTime()));
    Files.write(file, input);
    var finding = reproduced(target, file);
    if (finding.isPresent()) {
      findings.add(target, finding.get(), input);
      Files.delete(file);
    } else {
      out.printf(
          "fuzz: a worker died or was slow at %s, and alone it does nothing bad; its last words: %s%n",
          file, tail(workerLog));
    }
  }

  /** Runs a target's earlier findings again; those that were mended since are no findings now. */
  void forgetMended(Target target) throws IOException, InterruptedException {
    for (var file : findings.of(target)) {
      if (reproduced(target, file).isEmpty()) findings.remove(file);
    }
  }

  private Optional<Finding> reproduced(Target target, Path file)
      throws IOException, InterruptedException {
    var command = Children.command(options, List.of(target));
    command.addAll(List.of("--reproduce", file.toString()));
    var log = file.resolveSibling(file.getFileName() + ".log");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    var printed = Files.readString(log);
    Files.delete(log);
    if (!ended) return Optional.of(Finding.slow("it did not end", new StackTraceElement[0]));
    return switch (process.exitValue()) {
      case 0 -> Optional.empty();
      case 1 -> Reproduction.parse(printed);
      default -> Optional.of(Finding.crash(process.exitValue(), printed));
    };
  }

  private static String tail(Path log) throws IOException {
    var lines = Files.readAllLines(log);
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
  }
}
