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

  /** With how much of each pixel is seen. */
  BufferedImage image() throws IOException {
    var lossy = WebpChunks.named(chunks, WebpChunks.LOSSY);
    if (lossy.isEmpty()) return lossless();
    int from = lossy.get().from();
    int to = lossy.get().to();
    var image = sized(Vp8.size(file, from, to), () -> Vp8.read(file, from, to));
    var alpha = WebpChunks.named(chunks, WebpChunks.ALPHA);
    if (alpha.isPresent()) cover(image, alpha.get());
    return image;
  }

  private BufferedImage lossless() throws IOException {
    var chunk =
        WebpChunks.named(chunks, WebpChunks.LOSSLESS)
            .orElseThrow(() -> Pictures.damaged(Kind.WEBP));
    return sized(
        Lossless.size(file, chunk.from(), chunk.to()),
        () -> Lossless.read(file, chunk.from(), chunk.to()));
  }

  /** Reads pixels. */
  private interface Reading {
    int[] pixels() throws IOException;
  }

  private BufferedImage sized(int[] size, Reading reading) throws IOException {
    Pictures.requireSize(Kind.WEBP, size[0], size[1], mostPixels);
    var pixels = reading.pixels();
    var image = new BufferedImage(size[0], size[1], BufferedImage.TYPE_INT_ARGB);
    image.getRaster().setDataElements(0, 0, size[0], size[1], pixels);
    return image;
  }

  private void cover(BufferedImage image, WebpChunks.Chunk alpha) throws IOException {
    int width = image.getWidth();
    int height = image.getHeight();
    int how = alpha.to() > alpha.from() ? file[alpha.from()] : 0;
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
