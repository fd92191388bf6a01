package weft.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parts of a WebP file; one that is damaged ends the list. */
final class WebpChunks {
  static final String EXIF = "EXIF";

  /** Of a film: what a picture of it is, behind where it is shown and for how long. */
  private static final String FRAME = "ANMF";

  private static final int FRAME_HEAD = 16;

  /** Pixels, lossy or not. */
  private static final Set<String> PIXELS = Set.of("VP8 ", "VP8L");

  private static final int HEAD = 8;

  /** The body of a chunk, in its file. */
  record Chunk(String name, int from, int to) {}

  private WebpChunks() {}

  static List<Chunk> of(byte[] file) {
    return of(file, HEAD + 4, file.length);
  }

  private static List<Chunk> of(byte[] file, int from, int to) {
    var all = new ArrayList<Chunk>();
    long at = from;
    while (at + HEAD <= to) {
      int head = (int) at;
      long length =
          ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(head + 4) & 0xFFFF_FFFFL;
      if (at + HEAD + length > to) break;
      var name = new String(file, head, 4, StandardCharsets.ISO_8859_1);
      all.add(new Chunk(name, head + HEAD, head + HEAD + (int) length));
      at += HEAD + length + (length & 1);
    }
    return all;
  }

  /**
   * A file of the first picture alone: its transparency, which is not looked at, and profiles and
   * films are what readers stumble over.
   */
  static byte[] firstPicture(byte[] file) {
    return pixels(file, of(file)).map(chunk -> alone(file, chunk)).orElse(file);
  }

  private static Optional<Chunk> pixels(byte[] file, List<Chunk> chunks) {
    for (var chunk : chunks) {
      if (PIXELS.contains(chunk.name)) return Optional.of(chunk);
      if (chunk.name.equals(FRAME) && chunk.from + FRAME_HEAD <= chunk.to) {
        return pixels(file, of(file, chunk.from + FRAME_HEAD, chunk.to));
      }
    }
    return Optional.empty();
  }

  private static byte[] alone(byte[] file, Chunk chunk) {
    int length = chunk.to - chunk.from;
    int padded = length + (length & 1);
    return ByteBuffer.allocate(12 + HEAD + padded)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put("RIFF".getBytes(StandardCharsets.US_ASCII))
        .putInt(4 + HEAD + padded)
        .put("WEBP".getBytes(StandardCharsets.US_ASCII))
        .put(chunk.name.getBytes(StandardCharsets.US_ASCII))
        .putInt(length)
        .put(file, chunk.from, length)
        .array();
  }
}
