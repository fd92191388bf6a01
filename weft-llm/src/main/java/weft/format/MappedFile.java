package weft.format;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import weft.input.SmallInput;

/**
 * A whole file as read-only memory: the file's own pages, which have a stamp to know them by, or a
 * copy of them. What is not on the heap dies with the arena it was opened in.
 */
record MappedFile(Path path, MemorySegment bytes, Optional<FileStamp> stamp) {
  /** Whether this is memory of the arena that a file can no longer be asked for. */
  boolean isCopy() {
    return stamp.isEmpty() && bytes.isNative();
  }

  /**
   * The first bytes of this file once more: they outlive the arena, for as long as anyone refers to
   * them.
   */
  MemorySegment beginning(long longest) {
    long size = Math.min(bytes.byteSize(), longest);
    if (isCopy()) return Arena.ofAuto().allocate(size).copyFrom(bytes.asSlice(0, size));
    if (stamp.isEmpty()) return bytes.asSlice(0, size);
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      var header = channel.map(MapMode.READ_ONLY, 0, size, Arena.ofAuto());
      if (!FileStamp.of(path).equals(stamp.get())) throw broken("was replaced while it was opened");
      return header;
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
    try {
      return SmallInput.file(path, longest);
    } catch (IOException e) {
      throw new FormatException(e.getMessage(), e);
    }
  }

  /** The error of this file: every message begins with the path. */
  FormatException broken(String message) {
    return new FormatException(path + ": " + message);
  }
}
