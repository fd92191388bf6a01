package weft.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;

/** The pictures of an animated WebP file. */
final class WebpCels {
  private static final String HEAD = "VP8X";
  private static final int HEAD_BYTES = 10;

  private WebpCels() {}

  static Animation of(byte[] file) {
    int width = 0;
    int height = 0;
    var cels = new ArrayList<Cel>();
    for (var chunk : WebpChunks.of(file)) {
      if (chunk.name().equals(HEAD) && chunk.to() - chunk.from() >= HEAD_BYTES) {
        width = 1 + three(file, chunk.from() + 4);
        height = 1 + three(file, chunk.from() + 7);
      }
      if (WebpChunks.isFrame(chunk) && cels.size() <= Reel.MOST_FRAMES) cels.add(cel(file, chunk));
    }
    if (cels.size() < 2) throw Animation.still(Kind.WEBP);
    return new Animation(Kind.WEBP, width, height, 0, cels);
  }

  private static Cel cel(byte[] file, WebpChunks.Chunk chunk) {
    int at = chunk.from();
    int flags = file[at + 15];
    var area =
        new Cel.Area(
            2 * three(file, at),
            2 * three(file, at + 3),
            1 + three(file, at + 6),
            1 + three(file, at + 9));
    return new Cel(
        area,
        Animation.delay(three(file, at + 12) / 1000.0),
        (flags & 2) == 0 ? Cel.Manner.OVER : Cel.Manner.REPLACING,
        (flags & 1) == 0 ? Cel.After.KEPT : Cel.After.CLEARED,
        0,
        () -> image(file, chunk, area));
  }

  /** As large as its frame says: pixels were counted by that. */
  private static BufferedImage image(byte[] file, WebpChunks.Chunk frame, Cel.Area area) {
    try {
      var pixels = new WebpPixels(file, WebpChunks.within(file, frame), Pictures.MOST_PIXELS);
      var size = pixels.size();
      if (size[0] != area.width() || size[1] != area.height()) throw Pictures.damaged(Kind.WEBP);
      return pixels.image();
    } catch (IOException e) {
      throw Pictures.damaged(Kind.WEBP, e);
    }
  }

  private static int three(byte[] file, int at) {
    return file[at] & 0xFF | (file[at + 1] & 0xFF) << 8 | (file[at + 2] & 0xFF) << 16;
  }
}
