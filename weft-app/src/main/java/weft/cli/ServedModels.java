package weft.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The models that a server is given: what clients call them, and what they take. */
final class ServedModels {
  static final String BUILT_IN = "weft-tiny";

  private static final String GGUF = ".gguf";
  private static final Pattern PART = Pattern.compile("(.+)-(\\d{5})-of-\\d{5}");

  private ServedModels() {}

  /** All models in a folder, by name: files, the first of split ones, and folders of weights. */
  static List<Path> in(Path folder) {
    try (var entries = Files.list(folder)) {
      return entries.filter(ServedModels::isModel).sorted().toList();
    } catch (IOException e) {
      throw new UsageException("--models takes a folder, and '" + folder + "' cannot be read");
    }
  }

  private static boolean isModel(Path path) {
    var file = path.getFileName().toString();
    if (file.startsWith(".")) return false;
    if (Files.isDirectory(path)) return Files.isRegularFile(path.resolve("config.json"));
    if (!file.endsWith(GGUF)) return false;
    var part = PART.matcher(stem(file));
    return !part.matches() || part.group(2).equals("00001");
  }

  /** By which clients ask for it: its file's name without what says how it is stored. */
  static String name(Path path) {
    var file = path.toAbsolutePath().normalize().getFileName();
    var stem = stem(file == null ? BUILT_IN : file.toString());
    var part = PART.matcher(stem);
    return part.matches() ? part.group(1) : stem;
  }

  private static String stem(String file) {
    return file.endsWith(GGUF) ? file.substring(0, file.length() - GGUF.length()) : file;
  }

  /** About what it takes in memory: its files. */
  static long bytes(Path path) {
    try {
      long bytes = 0;
      for (var file : files(path)) bytes += Files.size(file);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path path) throws IOException {
    var folder = Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
    var part = PART.matcher(stem(path.getFileName().toString()));
    if (!Files.isDirectory(path) && !part.matches()) return List.of(path);
    var files = new ArrayList<Path>();
    try (var entries = Files.list(folder)) {
      for (var file : entries.filter(Files::isRegularFile).toList()) {
        var name = file.getFileName().toString();
        boolean isOfIt =
            Files.isDirectory(path)
                ? name.endsWith(".safetensors")
                : name.startsWith(part.group(1) + "-") && name.endsWith(GGUF);
        if (isOfIt) files.add(file);
      }
    }
    return files;
  }
}
