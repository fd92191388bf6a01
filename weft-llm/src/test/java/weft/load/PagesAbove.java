package weft.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Takes the page right above where a file of some size will be mapped next, and lets nobody read
 * it: the page of a file that is empty. Linux maps at the highest place with room, so the page is
 * where the end of a larger mapping was. Owns the page; it is best effort, for other threads map
 * memory too.
 */
final class PagesAbove implements AutoCloseable {
  private static final int PAGE = 4096;

  /** Smaller places above must be filled first. */
  private static final int MOST_PAGES = 4096;

  private final Arena arena = Arena.ofShared();
  private final Path decoy;

  PagesAbove(Path decoy, long bytes) {
    this.decoy = decoy;
    try (var channel =
        FileChannel.open(
            decoy, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long top;
      try (var once = Arena.ofConfined()) {
        top = channel.map(MapMode.READ_WRITE, 0, bytes + PAGE, once).address() + bytes;
      }
      int pages = 0;
      while (pages++ < MOST_PAGES
          && channel.map(MapMode.READ_ONLY, 0, PAGE, arena).address() != top) {}
      channel.truncate(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether what a process maps behind a file is a page of these. */
  boolean isBehind(Path file) {
    try {
      var maps = Files.readAllLines(Path.of("/proc/self/maps"));
      for (int i = 0; i + 1 < maps.size(); i++) {
        var end = maps.get(i).split("[- ]")[1];
        var next = maps.get(i + 1);
        boolean isFile = maps.get(i).endsWith(file.toString());
        if (isFile && next.startsWith(end + "-") && next.endsWith(decoy.toString())) return true;
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
