package weft.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parts of a WebP file; one that is damaged ends the list, and so does one too many. */
final class WebpChunks {
  static final String EXIF = "EXIF";

  /** Of a film: what a picture of it is, behind where it is shown and for how long. */
  private static final String FRAME = "ANMF";

  private static final int FRAME_HEAD = 16;

  static final String LOSSY = "VP8 ";
  static final String LOSSLESS = "VP8L";
  static final String ALPHA = "ALPH";

  private static final Set<String> PIXELS = Set.of(LOSSY, LOSSLESS);

  private static final int HEAD = 8;

  /** A film has some beside its frames, and each of those is one. */
  private static final int MOST = 2 * Reel.MOST_FRAMES;

  /** The body of a chunk, in its file. */
  record Chunk(String name, int from, int to) {}

  private WebpChunks() {}

  static List<Chunk> of(byte[] file) {
    return of(file, HEAD + 4, file.length);
  }

  private static List<Chunk> of(byte[] file, int from, int to) {
    var all = new ArrayList<Chunk>();
    long at = from;
    while (at + HEAD <= to && all.size() < MOST) {
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

  /** The chunks of the first picture: its transparency, if any, and its pixels. */
  static List<Chunk> firstPicture(byte[] file) {
    var all = of(file);
    for (var chunk : all) {
      if (isFrame(chunk)) return within(file, chunk);
      if (PIXELS.contains(chunk.name)) break;
    }
    return all;
  }

  /** Whether it is a picture of a film. */
  static boolean isFrame(Chunk chunk) {
    return chunk.name.equals(FRAME) && chunk.to - chunk.from >= FRAME_HEAD;
  }

  /** The chunks of a film's picture. */
  static List<Chunk> within(byte[] file, Chunk frame) {
    return of(file, frame.from + FRAME_HEAD, frame.to);
  }

  static Optional<Chunk> named(List<Chunk> chunks, String name) {
    return chunks.stream().filter(chunk -> chunk.name.equals(name)).findFirst();
  }
}
