package weft.cli;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.JarEntry;

/** The model that comes with weft, as a file that can be mapped. */
final class BuiltInModel {
  static final String NATURE =
      "this is Weft Tiny, the built-in 12M toy model; give a .gguf for real work";

  private static final String RESOURCE = "/weft/builtin/weft-tiny.gguf";

  private BuiltInModel() {}

  /** Empty when this build of weft has none. */
  static Optional<Path> file(Settings settings) {
    var resource = BuiltInModel.class.getResource(RESOURCE);
    if (resource == null) return Optional.empty();
    try {
      return Optional.of(
          resource.openConnection() instanceof JarURLConnection jar
              ? unpacked(jar.getJarEntry(), settings.cacheFolder())
              : Path.of(resource.toURI()));
    } catch (IOException | URISyntaxException e) {
      throw new CliException("the built-in model cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /**
   * What a jar holds cannot be mapped, so it is copied once; the entry's checksum names the copy.
   */
  private static Path unpacked(JarEntry entry, Path folder) throws IOException {
    var file = folder.resolve("weft-tiny-%08x.gguf".formatted(entry.getCrc()));
    if (Files.isRegularFile(file) && Files.size(file) == entry.getSize()) return file;
    try {
      Files.createDirectories(folder);
      var part = Files.createTempFile(folder, "weft-tiny", ".part");
      try {
        copyTo(part);
        // Another process may do the same: each sees a whole file or none.
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
      return file;
    } catch (IOException e) {
      return unpackedForNow();
    }
  }

  /** For a user without a folder to keep it in: a copy that goes when the process does. */
  private static Path unpackedForNow() throws IOException {
    var file = Files.createTempFile("weft-tiny", ".gguf");
    file.toFile().deleteOnExit();
    copyTo(file);
    return file;
  }

  private static void copyTo(Path file) throws IOException {
    try (var in = BuiltInModel.class.getResourceAsStream(RESOURCE)) {
      Files.copy(Objects.requireNonNull(in), file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
