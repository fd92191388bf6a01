package weft.image;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;

/**
 * JPEG's luma and colours as red, green and blue, where colours are kept once for two rows. The JDK
 * repeats them then, but each row is between its nearest one, three parts, and the next, one part,
 * in libjpeg-turbo, by which processors read.
 */
final class TallColours {
  private static final int HALF = 1 << 15;

  /** Parts of 65,536: of red, blue, and both in green. */
  private static final int RED = 91_881;

  private static final int BLUE = 116_130;
  private static final int RED_IN_GREEN = 46_802;
  private static final int BLUE_IN_GREEN = 22_554;

  private TallColours() {}

  /** The picture of a raster of luma, blue and red, of whose colours every second row counts. */
  static BufferedImage of(Raster raster) {
    int width = raster.getWidth();
    int height = raster.getHeight();
    var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    int last = height - 1 - (height - 1) % 2;
    int[] row = new int[3 * width];
    int[] far = new int[3 * width];
    int[] out = new int[width];
    for (int y = 0; y < height; y++) {
      int near = y - y % 2;
      int beside = Math.clamp(y % 2 == 0 ? near - 2 : near + 2, 0, last);
      raster.getPixels(0, y, width, 1, row);
      raster.getPixels(0, beside, width, 1, far);
      for (int x = 0; x < width; x++) {
        int round = 1 + y % 2;
        int blue = 3 * row[3 * x + 1] + far[3 * x + 1] + round >> 2;
        int red = 3 * row[3 * x + 2] + far[3 * x + 2] + round >> 2;
        out[x] = rgb(row[3 * x], blue - 128, red - 128);
      }
      image.setRGB(0, y, width, 1, out, 0, width);
    }
    return image;
  }

  private static int rgb(int luma, int blue, int red) {
    int r = luma + (RED * red + HALF >> 16);
    int g = luma + (HALF - BLUE_IN_GREEN * blue - RED_IN_GREEN * red >> 16);
    int b = luma + (BLUE * blue + HALF >> 16);
    return clip(r) << 16 | clip(g) << 8 | clip(b);
  }

  private static int clip(int value) {
    return Math.clamp(value, 0, 255);
  }
}
