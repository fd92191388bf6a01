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
  private static final int ENTRY = 12;

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
    byte[] name = {'E', 'x', 'i', 'f', 0, 0};
    int at = 2;
    while (at + 4 <= file.length && (file[at] & 0xFF) == 0xFF) {
      int marker = file[at + 1] & 0xFF;
      if (marker == 0xDA) return 1; // pixels begin
      int length = number(at + 2, 2);
      if (length < 2 || at + 2 + length > file.length) return 1;
      int body = at + 4;
      if (marker == 0xE1 && length >= 2 + name.length && isAt(body, name)) {
        return ofTiff(body + name.length, at + 2 + length);
      }
      at += 2 + length;
    }
    return 1;
  }

  private int ofPng() {
    long at = 8;
    while (at + 12 <= file.length) {
      int from = (int) at;
      long length = number(from, 4) & 0xFFFF_FFFFL;
      if (at + 12 + length > file.length) return 1;
      if (isAt(from + 4, "eXIf".getBytes(StandardCharsets.US_ASCII))) {
        return ofTiff(from + 8, from + 8 + (int) length);
      }
      at += 12 + length;
    }
    return 1;
  }

  private int ofWebp() {
    long at = 12;
    while (at + 8 <= file.length) {
      int from = (int) at;
      long length = Integer.reverseBytes(number(from + 4, 4)) & 0xFFFF_FFFFL;
      if (at + 8 + length > file.length) return 1;
      if (isAt(from, "EXIF".getBytes(StandardCharsets.US_ASCII))) {
        return ofTiff(from + 8, from + 8 + (int) length);
      }
      at += 8 + length + (length & 1);
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
      boolean isIt = (part.getShort(entry) & 0xFFFF) == ORIENTATION;
      if (isIt && part.getShort(entry + 2) == SHORT) return part.getShort(entry + 8) & 0xFFFF;
    }
    return 1;
  }

  private boolean isAt(int at, byte[] part) {
    return at + part.length <= file.length
        && Arrays.equals(file, at, at + part.length, part, 0, part.length);
  }

  /** The first byte is the greatest. */
  private int number(int at, int bytes) {
    int value = 0;
    for (int i = 0; i < bytes; i++) value = value << 8 | file[at + i] & 0xFF;
    return value;
  }
}
