package weft.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Which way up a camera says that its picture is: the one field of a file's Exif data that
 * processors of pictures heed. What is damaged or not there says nothing.
 */
final class Exif {
  private static final int ORIENTATION = 0x0112;
  private static final int SHORT = 3;
  private static final int LONG = 4;
  private static final int ENTRY = 12;

  /** What such data begins with in a JPEG file. */
  private static final byte[] NAME = {'E', 'x', 'i', 'f', 0, 0};

  private final byte[] file;

  private Exif(byte[] file) {
    this.file = file;
  }

  /** From 1, upright, to 8, as TIFF numbers them. */
  static int orientation(Kind kind, byte[] file) {
    var exif = new Exif(file);
    int found =
        switch (kind) {
          case JPEG -> exif.ofJpeg();
          case PNG -> exif.ofPng();
          case WEBP -> exif.ofWebp();
          case TIFF -> exif.ofTiff(0, file.length);
          case GIF, BMP -> 1;
        };
    return found >= 1 && found <= 8 ? found : 1;
  }

  private int ofJpeg() {
    for (var segment : JpegSegments.of(file)) {
      if (segment.marker() == JpegSegments.EXIF && JpegSegments.begins(file, segment, NAME)) {
        return ofTiff(segment.from() + NAME.length, segment.to());
      }
    }
    return 1;
  }

  private int ofPng() {
    long at = 8;
    while (at + 12 <= file.length) {
      int from = (int) at;
      long length = ByteBuffer.wrap(file).getInt(from) & 0xFFFF_FFFFL;
      if (at + 12 + length > file.length) return 1;
      if (isAt(from + 4, "eXIf".getBytes(StandardCharsets.US_ASCII))) {
        return ofTiff(from + 8, from + 8 + (int) length);
      }
      at += 12 + length;
    }
    return 1;
  }

  private int ofWebp() {
    for (var chunk : WebpChunks.of(file)) {
      if (!chunk.name().equals(WebpChunks.EXIF)) continue;
      // Some writers have the name that JPEG files have.
      return ofTiff(chunk.from() + (isAt(chunk.from(), NAME) ? NAME.length : 0), chunk.to());
    }
    return 1;
  }

  private int ofTiff(int from, int to) {
    if (to - from < 8) return 1;
    var part = ByteBuffer.wrap(file, from, to - from).slice();
    part.order(file[from] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    long first = part.getInt(4) & 0xFFFF_FFFFL;
    if (first + 2 > part.limit()) return 1;
    int at = (int) first;
    int count = part.getShort(at) & 0xFFFF;
    for (int entry = at + 2; count > 0 && entry + ENTRY <= part.limit(); entry += ENTRY, count--) {
      if ((part.getShort(entry) & 0xFFFF) != ORIENTATION) continue;
      return switch (part.getShort(entry + 2)) {
        case SHORT -> part.getShort(entry + 8) & 0xFFFF;
        case LONG -> part.getInt(entry + 8);
        default -> 1;
      };
    }
    return 1;
  }

  private boolean isAt(int at, byte[] part) {
    return at + part.length <= file.length
        && Arrays.equals(file, at, at + part.length, part, 0, part.length);
  }
}
