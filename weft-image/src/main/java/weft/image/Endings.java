package weft.image;

/**
 * What a file's frame says before its pixels are read: that it is there to its end, since readers
 * make grey of what is missing, and that it does not make them go over its pixels for ever.
 */
final class Endings {
  private Endings() {}

  static void require(Kind kind, byte[] file, int mostScans) {
    switch (kind) {
      case PNG -> requireWhole(kind, has(file, new byte[] {'I', 'E', 'N', 'D'}));
      case JPEG -> {
        requireWhole(kind, has(file, new byte[] {(byte) 0xFF, (byte) 0xD9}));
        requireScans(file, mostScans);
      }
      case WEBP -> requireWhole(kind, file.length >= 8 + riffBytes(file));
      case GIF, BMP, TIFF -> {}
    }
  }

  private static void requireWhole(Kind kind, boolean isWhole) {
    if (!isWhole) {
      throw new ImageException("the %s image is incomplete: its end is missing".formatted(kind));
    }
  }

  /** Sought from the end, for some cameras write on behind it. */
  private static boolean has(byte[] file, byte[] part) {
    for (int at = file.length - part.length; at >= 0; at--) {
      int same = 0;
      while (same < part.length && file[at + same] == part[same]) same++;
      if (same == part.length) return true;
    }
    return false;
  }

  private static long riffBytes(byte[] file) {
    long length = 0;
    for (int i = 3; i >= 0; i--) length = length << 8 | file[4 + i] & 0xFF;
    return length;
  }

  /** How often a JPEG goes over its pixels. */
  static int scans(byte[] file) {
    int scans = 0;
    for (int at = 0; at + 1 < file.length; at++) {
      if ((file[at] & 0xFF) == 0xFF && (file[at + 1] & 0xFF) == 0xDA) scans++;
    }
    return scans;
  }

  private static void requireScans(byte[] file, int most) {
    int scans = scans(file);
    if (scans > most) {
      throw new ImageException(
          "the JPEG image has %d scans; %d are the most that are taken".formatted(scans, most));
    }
  }
}
