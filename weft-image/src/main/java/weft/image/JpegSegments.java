package weft.image;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a JPEG file says before its pixels begin, segment by segment; damaged ones end the list, and
 * so does one too many.
 */
final class JpegSegments {
  static final int EXIF = 0xE1;

  private static final int PROFILE = 0xE2;
  private static final int ADOBE = 0xEE;
  private static final int PIXELS = 0xDA;

  /** Frames, of which 0xC4, 0xC8 and 0xCC are none. */
  private static final List<Integer> FRAMES =
      List.of(0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF);

  /** A profile of colours has 255 at the most, and no camera writes more than some of all else. */
  private static final int MOST = 10_000;

  /** Where a frame counts its components. */
  private static final int COMPONENTS_AT = 5;

  private static final byte[] PROFILE_NAME = {
    'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0
  };

  /** Adobe's own, of numbers that are no YCC: then four channels are less, not more, ink. */
  private static final byte[] INKS = {
    (byte) 0xFF, (byte) ADOBE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0
  };

  /** The body of a segment, in its file. */
  record Segment(int marker, int from, int to) {}

  private JpegSegments() {}

  static List<Segment> of(byte[] file) {
    var all = new ArrayList<Segment>();
    int at = 2;
    while (at + 4 <= file.length && (file[at] & 0xFF) == 0xFF && all.size() < MOST) {
      int marker = file[at + 1] & 0xFF;
      if (marker == PIXELS) break;
      if (marker == 0xFF) {
        at++; // any number of these may come before a marker
        continue;
      }
      int length = (file[at + 2] & 0xFF) << 8 | file[at + 3] & 0xFF;
      if (length < 2 || at + 2 + length > file.length) break;
      all.add(new Segment(marker, at + 4, at + 2 + length));
      at += 2 + length;
    }
    return all;
  }

  /**
   * The file without profiles, by which readers would change its numbers, and with four channels
   * called inks as Adobe writes them, which processors take them for whoever wrote them.
   */
  static byte[] withoutProfiles(byte[] file) {
    var all = of(file);
    var plain = file.clone();
    for (var segment : all) {
      if (segment.marker == PROFILE && begins(file, segment, PROFILE_NAME)) plain[segment.from] = 0;
    }
    boolean isOfInks =
        all.stream().anyMatch(segment -> isOfFour(file, segment))
            && all.stream().noneMatch(segment -> segment.marker == ADOBE);
    return isOfInks ? calledInks(plain) : plain;
  }

  private static boolean isOfFour(byte[] file, Segment segment) {
    int count = segment.from + COMPONENTS_AT;
    return FRAMES.contains(segment.marker) && count < segment.to && file[count] == 4;
  }

  private static byte[] calledInks(byte[] file) {
    var out = new ByteArrayOutputStream(file.length + INKS.length);
    out.write(file, 0, 2);
    out.writeBytes(INKS);
    out.write(file, 2, file.length - 2);
    return out.toByteArray();
  }

  /**
   * Whether colours are kept once for two rows and for each column, beside luma, which is not so
   * for red, green and blue.
   */
  static boolean isTall(byte[] file) {
    var all = of(file);
    return all.stream().anyMatch(segment -> isTall(file, segment))
        && all.stream().noneMatch(segment -> isUnmixed(file, segment));
  }

  private static boolean isTall(byte[] file, Segment segment) {
    int count = segment.from + COMPONENTS_AT;
    boolean isFrame = FRAMES.contains(segment.marker) && count + 10 <= segment.to;
    return isFrame
        && file[count] == 3
        && file[count + 1] != 'R'
        && file[count + 2] == 0x12
        && file[count + 5] == 0x11
        && file[count + 8] == 0x11;
  }

  /** Whether Adobe says that its numbers are no luma and colours. */
  private static boolean isUnmixed(byte[] file, Segment segment) {
    int last = segment.from + 11;
    return segment.marker == ADOBE && last < segment.to && file[last] == 0;
  }

  /** Whether a segment's body begins so. */
  static boolean begins(byte[] file, Segment segment, byte[] name) {
    int end = segment.from + name.length;
    return end <= segment.to && Arrays.equals(file, segment.from, end, name, 0, name.length);
  }
}
