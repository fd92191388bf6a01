package weft.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of this process for what reads files and nothing else: in memory where the system can. */
final class Scratch {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path FOLDER = folder();

  private Scratch() {}

  private static Path folder() {
    try {
      var parent =
          Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
      var folder = Files.createTempDirectory(parent, "weft-fuzz");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for scratch files", e);
    }
  }

  static Path file(String name) {
    return FOLDER.resolve(name);
  }

  static Path write(String name, byte[] bytes) {
    try {
      return Files.write(file(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(file(name) + " cannot be written", e);
    }
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be deleted", e);
    }
  }
}
