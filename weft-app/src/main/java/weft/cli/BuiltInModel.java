package weft.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The model that comes with weft, as a file that can be mapped. */
final class BuiltInModel {
  private static final String RESOURCE = "/weft/builtin/weft-tiny.gguf";

  private BuiltInModel() {}

  /** Empty when this build of weft has none. */
  static Optional<Path> file(Settings settings) {
    var resource = BuiltInModel.class.getResource(RESOURCE);
    if (resource == null) return Optional.empty();
    try {
      if (resource.getProtocol().equals("file")) return Optional.of(Path.of(resource.toURI()));
      return Optional.of(extracted(settings.cacheFolder()));
    } catch (IOException | URISyntaxException e) {
      throw new CliException("the built-in model cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /**
   * A jar's content cannot be mapped, so it is copied once; a build's copy is known by its size.
   */
  private static Path extracted(Path cacheFolder) throws IOException {
    try (var in = BuiltInModel.class.getResourceAsStream(RESOURCE)) {
      if (in == null) throw new IOException("it has gone from the jar");
      var bytes = in.readAllBytes();
      var hash = Integer.toHexString(java.util.Arrays.hashCode(bytes));
      var file = cacheFolder.resolve("weft-tiny-" + hash + ".gguf");
      if (!Files.exists(file) || Files.size(file) != bytes.length) {
        Files.createDirectories(cacheFolder);
        var part = Files.createTempFile(cacheFolder, "weft-tiny", ".part");
        Files.write(part, bytes);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
      return file;
    }
  }
}
