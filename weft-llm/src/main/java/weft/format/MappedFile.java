package weft.format;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A whole file as read-only memory that dies with the arena it was mapped in, or as the bytes that
 * were read of it.
 */
record MappedFile(Path path, MemorySegment bytes) {
  static MappedFile map(Path path, Arena arena) {
    if (!Files.isRegularFile(path)) {
      throw new FormatException(
          path + (Files.exists(path) ? " is not a regular file" : " does not exist"));
    }
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return new MappedFile(path, channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
    } catch (IOException e) {
      throw new FormatException(path + " cannot be mapped: " + e.getMessage(), e);
    }
  }

  /**
   * The first bytes of this file, mapped once more: they outlive the arena, for as long as anyone
   * refers to them.
   */
  MemorySegment beginning(long longest) {
    if (!bytes.isMapped()) return bytes.asSlice(0, Math.min(bytes.byteSize(), longest));
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = Math.min(bytes.byteSize(), longest);
      return channel.map(MapMode.READ_ONLY, 0, size, Arena.ofAuto());
    } catch (IOException e) {
      throw new FormatException(path + " cannot be mapped: " + e.getMessage(), e);
    }
  }

  /** Lets the pages of a part of a file go; they come back when it is read. */
  static void unload(MemorySegment part) {
    if (part.isMapped()) part.unload();
  }

  /** The whole of a file that is small by its nature, as a copy. */
  static byte[] copy(Path path, int longest) {
    try (var arena = Arena.ofConfined()) {
      var file = map(path, arena);
      if (file.bytes.byteSize() > longest) {
        throw file.broken(
            "the file has %d bytes, expected at most %d".formatted(file.bytes.byteSize(), longest));
      }
      return file.bytes.toArray(LittleEndian.BYTE);
    }
  }

  /** The error of this file: every message begins with the path. */
  FormatException broken(String message) {
    return new FormatException(path + ": " + message);
  }
}
