package weft.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import weft.image.webp.Lossless;
import weft.image.webp.Vp8;

/** The pixels of a WebP picture, lossy with its transparency apart, or lossless. */
final class WebpPixels {
  private final byte[] file;
  private final List<WebpChunks.Chunk> chunks;
  private final long mostPixels;

  WebpPixels(byte[] file, List<WebpChunks.Chunk> chunks, long mostPixels) {
    this.file = file;
    this.chunks = chunks;
    this.mostPixels = mostPixels;
  }

  /** Its width and its height, by its beginning alone. */
  int[] size() throws IOException {
    var chunk = chunk();
    return isLossy()
        ? Vp8.size(file, chunk.from(), chunk.to())
        : Lossless.size(file, chunk.from(), chunk.to());
  }

  /** With how much of each pixel is seen. */
  BufferedImage image() throws IOException {
    var size = size();
    Pictures.requireSize(Kind.WEBP, size[0], size[1], mostPixels);
    var image = new BufferedImage(size[0], size[1], BufferedImage.TYPE_INT_ARGB);
    image.getRaster().setDataElements(0, 0, size[0], size[1], pixels());
    var alpha = WebpChunks.named(chunks, WebpChunks.ALPHA);
    if (isLossy() && alpha.isPresent()) cover(image, alpha.get());
    return image;
  }

  private int[] pixels() throws IOException {
    var chunk = chunk();
    return isLossy()
        ? Vp8.read(file, chunk.from(), chunk.to())
        : Lossless.read(file, chunk.from(), chunk.to());
  }

  private boolean isLossy() {
    return chunk().name().equals(WebpChunks.LOSSY);
  }

  private WebpChunks.Chunk chunk() {
    return WebpChunks.named(chunks, WebpChunks.LOSSY)
        .or(() -> WebpChunks.named(chunks, WebpChunks.LOSSLESS))
        .orElseThrow(() -> Pictures.damaged(Kind.WEBP));
  }

  private void cover(BufferedImage image, WebpChunks.Chunk alpha) throws IOException {
    int width = image.getWidth();
    int height = image.getHeight();
    if (alpha.to() == alpha.from()) throw Pictures.damaged(Kind.WEBP);
    int how = file[alpha.from()];
    var left =
        switch (how & 3) {
          case 0 -> Arrays.copyOfRange(file, alpha.from() + 1, alpha.to());
          case 1 -> packed(alpha, width, height);
          default -> throw Pictures.damaged(Kind.WEBP);
        };
    if (left.length < width * height) throw Pictures.damaged(Kind.WEBP);
    restore(left, width, height, how >> 2 & 3);
    var row = new int[width];
    for (int y = 0; y < height; y++) {
      image.getRGB(0, y, width, 1, row, 0, width);
      for (int x = 0; x < width; x++) {
        row[x] = row[x] & 0xFFFFFF | (left[y * width + x] & 0xFF) << 24;
      }
      image.setRGB(0, y, width, 1, row, 0, width);
    }
  }

  /** It is packed as the green of a lossless picture without a head. */
  private byte[] packed(WebpChunks.Chunk alpha, int width, int height) throws IOException {
    var green = Lossless.read(file, alpha.from() + 1, alpha.to(), width, height);
    var out = new byte[green.length];
    for (int i = 0; i < out.length; i++) out[i] = (byte) (green[i] >> 8);
    return out;
  }

  /** Adds what was guessed from neighbours: to the left, above, or from both and the corner. */
  private static void restore(byte[] bytes, int width, int height, int filter) {
    if (filter == 0) return;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int at = y * width + x;
        int left = x == 0 ? 0 : bytes[at - 1] & 0xFF;
        int above = y == 0 ? 0 : bytes[at - width] & 0xFF;
        int corner = x == 0 || y == 0 ? 0 : bytes[at - width - 1] & 0xFF;
        int guess =
            y == 0 || x > 0 && filter == 1
                ? left
                : x == 0 || filter == 2 ? above : Math.clamp(left + above - corner, 0, 255);
        bytes[at] += (byte) guess;
      }
    }
  }
}
