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
    if (Files.exists(file) && Files.size(file) == entry.getSize()) return file;
    Files.createDirectories(folder);
    var part = Files.createTempFile(folder, "weft-tiny", ".part");
    try (var in = BuiltInModel.class.getResourceAsStream(RESOURCE)) {
      Files.copy(Objects.requireNonNull(in), part, StandardCopyOption.REPLACE_EXISTING);
      // Another process may do the same: each sees a whole file or none.
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
    return file;
  }
}
