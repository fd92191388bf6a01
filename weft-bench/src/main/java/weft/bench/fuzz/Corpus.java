package weft.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A target's inputs that reached something new: in memory, and in a folder that all workers share
 * and that the next run begins with.
 */
final class Corpus {
  private static final int MOST_INPUTS = 20_000;

  private final Path folder;
  private final List<Entry> read = new ArrayList<>();
  private final List<Entry> refused = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** An input and what running it took. */
  private record Entry(byte[] input, long nanos) {}

  Corpus(Path folder) {
    this.folder = folder;
  }

  int size() {
    return read.size() + refused.size();
  }

  /**
   * An input that was read, most often: what is made of one that was refused is refused too. It is
   * the quickest of three, since slow ones are worth less than what they cost.
   */
  byte[] pick(Draw draw) {
    var from = refused.isEmpty() || !read.isEmpty() && !draw.oneIn(5) ? read : refused;
    var quickest = any(from, draw);
    for (int i = 0; i < 2; i++) {
      var other = any(from, draw);
      if (other.nanos < quickest.nanos) quickest = other;
    }
    return quickest.input;
  }

  /** Any input; every second time one of the latest, which are the least explored. */
  private static Entry any(List<Entry> from, Draw draw) {
    int size = from.size();
    return from.get(
        draw.oneIn(2) ? size - 1 - draw.below(Math.max(1, size / 8)) : draw.below(size));
  }

  /** Keeps a seed, which is no news to the folder. */
  void addSeed(byte[] input) {
    names.add(name(input));
    read.add(new Entry(input, 0));
  }

  /** Keeps an input here and in the folder. */
  void add(byte[] input, long nanos, boolean isRead) {
    var name = name(input);
    if (size() >= MOST_INPUTS || !names.add(name)) return;
    keep(input, nanos, isRead);
    try {
      Files.createDirectories(folder);
      var draft = folder.resolve(name + ".part" + ProcessHandle.current().pid());
      Files.write(draft, input);
      Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("the corpus in " + folder + " cannot be written", e);
    }
  }

  /** The inputs in the folder that are not here yet: an earlier run's, or another worker's. */
  List<byte[]> arrivals() {
    if (!Files.isDirectory(folder)) return List.of();
    var arrivals = new ArrayList<byte[]>();
    try (var files = Files.list(folder)) {
      for (var file : files.sorted().toList()) {
        var name = file.getFileName().toString();
        if (name.contains(".part") || names.contains(name)) continue;
        names.add(name);
        arrivals.add(Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the corpus in " + folder + " cannot be read", e);
    }
    return arrivals;
  }

  /** Takes in an arrival that is worth it. */
  void keep(byte[] arrival, long nanos, boolean isRead) {
    if (size() < MOST_INPUTS) (isRead ? read : refused).add(new Entry(arrival, nanos));
  }

  private static String name(byte[] input) {
    var sum = new CRC32C();
    sum.update(input);
    return "%08x%08x".formatted(sum.getValue(), Arrays.hashCode(input));
  }
}
