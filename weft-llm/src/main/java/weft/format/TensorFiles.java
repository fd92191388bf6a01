package weft.format;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads tensors of mapped files once more, past the mapping, and past the system's own cache of
 * files where the file system lets it: what is read is then in memory once, where it was asked for.
 * Owns its channels; safe for all threads.
 */
public final class TensorFiles implements AutoCloseable {
  /** What direct reads of nearly every file system are multiples of. */
  public static final long ALIGNMENT = 4096;

  /** A file, and where it is mapped. */
  private record Source(FileStamp stamp, MemorySegment mapped, FileChannel channel) {
    boolean holds(MemorySegment part) {
      long at = part.address() - mapped.address();
      return at >= 0 && at + part.byteSize() <= mapped.byteSize();
    }

    FormatException failed(IOException e) {
      return new FormatException(
          stamp.path() + " cannot be read: " + e.getMessage() + "; is its disk still there?", e);
    }
  }

  private final List<Source> sources = new ArrayList<>();

  private TensorFiles() {}

  static TensorFiles open(List<MappedFile> files) {
    var opened = new TensorFiles();
    try {
      for (var file : files) {
        if (file.stamp().isPresent()) opened.add(file, file.stamp().get());
      }
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private void add(MappedFile file, FileStamp stamp) {
    try {
      sources.add(new Source(stamp, file.bytes(), channel(file.path())));
      // The name may be another file's by now.
      if (!FileStamp.of(file.path()).equals(stamp)) {
        throw file.broken("was replaced while it was opened");
      }
    } catch (IOException e) {
      throw new FormatException(file.path() + " cannot be opened: " + e.getMessage(), e);
    }
  }

  private static FileChannel channel(Path path) throws IOException {
    var direct = direct();
    if (direct.isPresent() && ALIGNMENT % Files.getFileStore(path).getBlockSize() == 0) {
      try {
        return FileChannel.open(path, StandardOpenOption.READ, direct.get());
      } catch (IOException | UnsupportedOperationException e) {
        // A file system without direct reads: its cache holds a copy, too.
      }
    }
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  /** By its name: javac warns of every use of the type, and no annotation silences it. */
  private static Optional<OpenOption> direct() {
    try {
      var options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      return Arrays.stream(options)
          .filter(option -> option.toString().equals("DIRECT"))
          .map(OpenOption.class::cast)
          .findFirst();
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads what a part of a mapped file holds into memory that begins at a multiple of {@link
   * #ALIGNMENT} and has two of them to spare; gives the part of it where the bytes are.
   */
  public MemorySegment read(MemorySegment mapped, MemorySegment to) {
    var source =
        sources.stream()
            .filter(each -> each.holds(mapped))
            .findFirst()
            .orElseThrow(
                () ->
                    new FormatException("a tensor of " + mapped.byteSize() + " bytes has no file"));
    long begin = mapped.address() - source.mapped.address();
    long from = begin / ALIGNMENT * ALIGNMENT;
    long end = begin + mapped.byteSize();
    var room = to.asSlice(0, Math.ceilDiv(end - from, ALIGNMENT) * ALIGNMENT);
    fill(source, from, end, room);
    return room.asSlice(begin - from, mapped.byteSize());
  }

  private static void fill(Source source, long from, long end, MemorySegment room) {
    var buffer = room.asByteBuffer();
    long had = from;
    try {
      while (had < end) {
        // A read that was cut in two goes on where a block begins.
        long at = had / ALIGNMENT * ALIGNMENT;
        int read = source.channel.read(buffer.position((int) (at - from)), at);
        if (read <= had - at) {
          throw new FormatException(
              "%s ends at byte %d, before the tensors it had: it was cut short while it was in use"
                  .formatted(source.stamp.path(), had));
        }
        had = at + read;
      }
    } catch (IOException e) {
      throw source.failed(e);
    }
  }

  @Override
  public void close() {
    for (var source : sources) {
      try {
        source.channel.close();
      } catch (IOException e) {
        throw source.failed(e);
      }
    }
  }
}
