package weft.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Reads the header of a GGUF file front to back; nothing is read, and nothing is allocated for a
 * count, before the bytes for it are known to be in the file. Long values stay where they are: they
 * are views of a mapping of the header alone, which lives as long as one of them does.
 */
final class Cursor {
  /** Real headers, vocabulary and all, stay under 32 MiB. */
  static final long LONGEST_HEADER = 128L << 20;

  private final MappedFile file;
  private final MemorySegment bytes;
  private final long limit;
  private long position;
  private CountWidth width = CountWidth.LONG;
  private String place = "header";

  /** How wide the file writes its counts and lengths: 32 bits in version 1, 64 bits since. */
  enum CountWidth {
    INT,
    LONG
  }

  /** A cursor over the first {@code longest} bytes of a file, where a header may be. */
  Cursor(MappedFile file, long longest) {
    this.file = file;
    this.bytes = file.beginning(longest);
    this.limit = bytes.byteSize();
  }

  /** The same where a copy of a copy would only be looked at: what it gives dies with the file. */
  static Cursor within(MappedFile file) {
    return new Cursor(
        file, file.bytes().asSlice(0, Math.min(file.bytes().byteSize(), LONGEST_HEADER)));
  }

  private Cursor(MappedFile file, MemorySegment bytes) {
    this.file = file;
    this.bytes = bytes;
    this.limit = bytes.byteSize();
  }

  /** Names what is being read from here on, for messages. */
  void enter(String newPlace) {
    place = newPlace;
  }

  void countsAre(CountWidth newWidth) {
    width = newWidth;
  }

  long position() {
    return position;
  }

  int u8(String what) {
    return bytes.get(LittleEndian.BYTE, take(1, what)) & 0xFF;
  }

  long u32(String what) {
    return bytes.get(LittleEndian.INT, take(4, what)) & 0xFFFF_FFFFL;
  }

  int i32(String what) {
    return bytes.get(LittleEndian.INT, take(4, what));
  }

  /** A 64-bit number that must not be negative when read as signed. */
  long offset(String what) {
    return notNegative(bytes.get(LittleEndian.LONG, take(8, what)), what);
  }

  /** A number of the width of this version's counts, that must not be negative. */
  long size(String what) {
    return switch (width) {
      case INT -> u32(what);
      case LONG -> offset(what);
    };
  }

  /** A count of things that take at least {@code smallest} bytes each of what is left. */
  int count(String what, int smallest) {
    long count = size(what);
    long room = (limit - position) / smallest;
    if (count > room) {
      throw broken(
          "%s is %d, but the %d bytes left of the %s hold at most %d"
              .formatted(what, count, limit - position, extent(), room));
    }
    return (int) count;
  }

  /** A count as above of things that each cost more memory than they take bytes. */
  int count(String what, int smallest, int most) {
    int count = count(what, smallest);
    if (count > most) {
      throw broken("%s is %d, expected at most %d".formatted(what, count, most));
    }
    return count;
  }

  /** The bytes a length of this version's width takes. */
  int countBytes() {
    return switch (width) {
      case INT -> Integer.BYTES;
      case LONG -> Long.BYTES;
    };
  }

  /** How the texts of an array have their lengths before them. */
  TextArray.Lengths lengths() {
    return switch (width) {
      case INT -> TextArray.Lengths.INT;
      case LONG -> TextArray.Lengths.LONG;
    };
  }

  /** A copy of the next {@code length} bytes. */
  byte[] copy(int length, String what) {
    return view(length, what).toArray(LittleEndian.BYTE);
  }

  /** The next {@code length} bytes, where they lie. */
  MemorySegment view(long length, String what) {
    return bytes.asSlice(take(length, what), length);
  }

  void skip(long length, String what) {
    take(length, what);
  }

  /** What was read since an earlier position, where it lies. */
  MemorySegment since(long earlier) {
    return bytes.asSlice(earlier, position - earlier);
  }

  /** A text with its length before it. */
  byte[] text(String what) {
    return copy(count(what + " length", 1), what);
  }

  /** A text that must be UTF-8 and not empty: keys and names. */
  String name(String what, int longest) {
    byte[] raw = text(what);
    if (raw.length == 0 || raw.length > longest) {
      throw broken("%s has %d bytes, expected 1 to %d".formatted(what, raw.length, longest));
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException _) {
      var shown = HexFormat.of().formatHex(raw, 0, Math.min(raw.length, 32));
      throw broken("%s is not UTF-8: bytes %s".formatted(what, shown));
    }
  }

  FormatException broken(String message) {
    return file.broken(place + ": " + message);
  }

  private long take(long count, String what) {
    if (count > limit - position) {
      throw broken(
          "%s needs %d bytes at offset %d, but the %s ends at %d"
              .formatted(what, count, position, extent(), limit));
    }
    long start = position;
    position += count;
    return start;
  }

  private long notNegative(long value, String what) {
    if (value < 0) {
      throw broken("%s is %s, over 2^63 - 1".formatted(what, Long.toUnsignedString(value)));
    }
    return value;
  }

  private String extent() {
    return limit == file.bytes().byteSize() ? "file" : "part of the file that weft takes as header";
  }
}
