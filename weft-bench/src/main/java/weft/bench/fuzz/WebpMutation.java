package weft.bench.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Changes to WebP files that leave their parts what they are: their order, count and length. */
final class WebpMutation {
  private static final int HEAD = 12;
  private static final int PART_HEAD = 8;

  /** Behind the head of a file come its parts, and behind that of a film's picture its own. */
  private static final int FRAME_HEAD = 16;

  /** A part with its head, and without what makes it even. */
  private record Part(int from, int to) {}

  private WebpMutation() {}

  static boolean isWebp(byte[] file) {
    return file.length >= HEAD && is(file, 0, "RIFF") && is(file, 8, "WEBP");
  }

  private static boolean is(byte[] file, int at, String name) {
    return Arrays.equals(
        file, at, at + 4, name.getBytes(StandardCharsets.US_ASCII), 0, name.length());
  }

  /** As long as it is says its head. */
  static byte[] sized(byte[] file) {
    if (!isWebp(file)) return file;
    var bytes = file.clone();
    little(bytes).putInt(4, bytes.length - PART_HEAD);
    return bytes;
  }

  /** A lossy picture with so many bytes of how much is seen of it before it. */
  static byte[] covered(byte[] lossy, int pixels) {
    var alpha = ByteBuffer.allocate(PART_HEAD + 2 + pixels).order(ByteOrder.LITTLE_ENDIAN);
    alpha.put("ALPH".getBytes(StandardCharsets.US_ASCII)).putInt(1 + pixels);
    return sized(replaced(lossy, HEAD, HEAD, alpha.array()));
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static List<Part> parts(byte[] file, int from, int to) {
    var parts = new ArrayList<Part>();
    for (long at = from; at + PART_HEAD <= to; ) {
      int head = (int) at;
      long length = little(file).getInt(head + 4) & 0xFFFF_FFFFL;
      if (at + PART_HEAD + length > to) break;
      parts.add(new Part(head, head + PART_HEAD + (int) length));
      if (is(file, head, "ANMF") && length > FRAME_HEAD) {
        parts.addAll(parts(file, head + PART_HEAD + FRAME_HEAD, parts.getLast().to));
      }
      at += PART_HEAD + length + (length & 1);
    }
    return parts;
  }

  /** One of its parts is cut short, comes twice or is gone. */
  static byte[] mutate(byte[] file, Draw draw) {
    var parts = parts(file, HEAD, file.length);
    if (parts.isEmpty()) return file;
    var part = parts.get(draw.below(parts.size()));
    int end = Math.min(file.length, part.to + (part.to - part.from & 1));
    var whole = Arrays.copyOfRange(file, part.from, end);
    return switch (draw.below(3)) {
      case 0 -> replaced(file, part.from, end, cut(whole, part.to - part.from, draw));
      case 1 -> replaced(file, end, end, whole);
      default -> replaced(file, part.from, end, new byte[0]);
    };
  }

  private static byte[] cut(byte[] part, int length, Draw draw) {
    int left = draw.below(length - PART_HEAD + 1);
    var bytes = Arrays.copyOf(part, PART_HEAD + left + (left & 1));
    little(bytes).putInt(4, left);
    return bytes;
  }

  private static byte[] replaced(byte[] file, int from, int to, byte[] by) {
    var out = new ByteArrayOutputStream();
    out.write(file, 0, from);
    out.writeBytes(by);
    out.write(file, to, file.length - to);
    return out.toByteArray();
  }
}
