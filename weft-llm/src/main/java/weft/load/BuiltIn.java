package weft.load;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;

/**
 * The model that comes with Weft, where the library {@code weft-builtin} is on the class or module
 * path, as a file that can be mapped. Safe for all threads.
 */
public final class BuiltIn {
  /** What a library with a model provides; found by {@link ServiceLoader}. */
  @FunctionalInterface
  public interface Source {
    /** Where the model's GGUF file is: in a folder, a jar or a run-time image. */
    URL weights();
  }

  private BuiltIn() {}

  /**
   * The model's file: where it lies, or copied once to a folder, for what a jar holds cannot be
   * mapped. Empty where there is no such library.
   */
  public static Optional<Path> file(Path folder) {
    return find().map(weights -> file(weights, folder));
  }

  private static Path file(URL weights, Path folder) {
    try {
      var inPlace = inPlace(weights);
      if (inPlace.isPresent()) return inPlace.get();
      return weights.openConnection() instanceof JarURLConnection jar
          ? kept(weights, jar.getJarEntry(), folder)
          : forNow(weights);
    } catch (IOException e) {
      throw cannotBeHad(e);
    }
  }

  /** Does something with the model's file, or with a copy that is deleted when it is done. */
  static LanguageModel load(LoadOptions options) {
    var weights =
        find()
            .orElseThrow(
                () ->
                    new LoadException(
                        "no built-in model is on the class or module path; add the library"
                            + " dev.weft:weft-builtin, or load a file"));
    try {
      var inPlace = inPlace(weights);
      if (inPlace.isPresent()) return LanguageModel.load(inPlace.get(), options);
      var copy = forNow(weights);
      return LanguageModel.load(copy, options, () -> delete(copy));
    } catch (IOException e) {
      throw cannotBeHad(e);
    }
  }

  private static Optional<URL> find() {
    return ServiceLoader.load(Source.class, BuiltIn.class.getClassLoader())
        .findFirst()
        .map(Source::weights);
  }

  private static LoadException cannotBeHad(IOException e) {
    return new LoadException("the built-in model cannot be unpacked: " + e.getMessage(), e);
  }

  private static Optional<Path> inPlace(URL weights) throws IOException {
    if (!weights.getProtocol().equals("file")) return Optional.empty();
    try {
      return Optional.of(Path.of(weights.toURI()));
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /** In a folder that keeps it; the entry's checksum names the copy. */
  private static Path kept(URL weights, JarEntry entry, Path folder) throws IOException {
    var file = folder.resolve("weft-tiny-%08x.gguf".formatted(entry.getCrc()));
    if (Files.isRegularFile(file) && Files.size(file) == entry.getSize()) return file;
    try {
      Files.createDirectories(folder);
      var part = Files.createTempFile(folder, "weft-tiny", ".part");
      try {
        copy(weights, part);
        // Another process may do the same: each sees a whole file or none.
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
      return file;
    } catch (IOException e) {
      return forNow(weights);
    }
  }

  /** Where there is no folder to keep it in: a copy that goes when the process does. */
  private static Path forNow(URL weights) throws IOException {
    var file = Files.createTempFile("weft-tiny", ".gguf");
    file.toFile().deleteOnExit();
    copy(weights, file);
    return file;
  }

  private static void copy(URL weights, Path file) throws IOException {
    try (var in = weights.openStream()) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Some systems keep a file that is mapped; it goes with the process.
    }
  }
}
