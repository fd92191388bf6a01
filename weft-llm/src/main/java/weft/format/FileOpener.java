package weft.format;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Turns a checkpoint's files into memory of one arena: mapped, or copied where a room is given; and
 * says where its configuration is.
 */
record FileOpener(
    Arena arena,
    Config config,
    Optional<BiFunction<Long, Arena, MemorySegment>> room,
    Consumer<String> progress) {
  /** What is read at once, and how often it is said how far it is. */
  private static final long CHUNK = 64 << 20;

  static FileOpener mapping(Arena arena, Config config) {
    return new FileOpener(arena, config, Optional.empty(), progress -> {});
  }

  MappedFile open(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new FormatException(
          path + (Files.exists(path) ? " is not a regular file" : " does not exist"));
    }
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      var stamp = FileStamp.of(path);
      long size = channel.size();
      if (size != stamp.size()) {
        throw new FormatException(
            "%s had %d bytes and has %d: it is being written. Load it when it is whole."
                .formatted(path, stamp.size(), size));
      }
      return room.isEmpty()
          ? new MappedFile(path, channel.map(MapMode.READ_ONLY, 0, size, arena), Optional.of(stamp))
          : copied(channel, stamp);
    } catch (IOException e) {
      throw new FormatException(path + " cannot be mapped: " + e.getMessage(), e);
    }
  }

  private MappedFile copied(FileChannel channel, FileStamp stamp) throws IOException {
    var bytes = allocated(stamp);
    long at = 0;
    while (at < stamp.size()) {
      var part = bytes.asSlice(at, Math.min(CHUNK, stamp.size() - at)).asByteBuffer();
      if (channel.read(part) < 0) {
        throw new FormatException(
            "%s ends at byte %d of %d: it was cut short while it was copied"
                .formatted(stamp.path(), at, stamp.size()));
      }
      at += part.position();
      progress.accept(
          "copying %s, %d of %d MiB"
              .formatted(stamp.path().getFileName(), at >> 20, stamp.size() >> 20));
    }
    stamp.requireUnchanged();
    return new MappedFile(stamp.path(), bytes.asReadOnly(), Optional.empty());
  }

  private MemorySegment allocated(FileStamp stamp) {
    try {
      return room.orElseThrow().apply(stamp.size(), arena);
    } catch (OutOfMemoryError e) {
      throw new FormatException(
          "there is no memory for a copy of %s, %d bytes (%s); use --load map"
              .formatted(stamp.path(), stamp.size(), e.getMessage()),
          e);
    }
  }
}
