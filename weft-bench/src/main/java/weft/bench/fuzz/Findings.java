package weft.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder of findings: the input of each under the target's name, and what it did beside it. */
record Findings(Path folder) {
  private static final String STORY = ".txt";

  /** Where an input with this key is kept, if it is. */
  Path file(Target target, Finding finding) {
    return folder.resolve(
        "%s-%s-%08x".formatted(target.name(), finding.kind(), finding.key().hashCode()));
  }

  boolean has(Target target, Finding finding) {
    return Files.exists(file(target, finding));
  }

  Path add(Target target, Finding finding, byte[] input) throws IOException {
    var file = file(target, finding);
    Files.createDirectories(folder);
    Files.write(file, input);
    Files.writeString(
        file.resolveSibling(file.getFileName() + STORY),
        finding.key()
            + "\nweft-bench/fuzz --reproduce "
            + file.toAbsolutePath()
            + "\n\n"
            + finding.detail()
            + "\n");
    return file;
  }

  /** The inputs of a target's findings. */
  List<Path> of(Target target) {
    if (!Files.isDirectory(folder)) return List.of();
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(target.name() + "-"))
          .filter(file -> !file.toString().endsWith(STORY))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the findings in " + folder + " cannot be listed", e);
    }
  }

  void remove(Path input) throws IOException {
    Files.delete(input);
    Files.deleteIfExists(input.resolveSibling(input.getFileName() + STORY));
  }

  /** What is written about a finding. */
  static String story(Path input) {
    try {
      return Files.readString(input.resolveSibling(input.getFileName() + STORY));
    } catch (IOException e) {
      return input + " has no story: " + e.getMessage();
    }
  }
}
