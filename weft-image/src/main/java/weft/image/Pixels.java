package weft.image;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.Raster;

/**
 * The bytes of what a reader has read: its numbers as they are, for a model was trained on them and
 * not on what a profile of colours makes of them. What is transparent shows the colour that it has.
 */
final class Pixels {
  private Pixels() {}

  static Picture of(BufferedImage image) {
    var out = new byte[Picture.CHANNELS * image.getWidth() * image.getHeight()];
    int type = image.getColorModel().getColorSpace().getType();
    boolean isPlain = image.getColorModel() instanceof ComponentColorModel;
    if (isPlain && type == ColorSpace.TYPE_RGB && image.getRaster().getNumBands() >= 3) {
      components(image.getRaster(), out, 1);
    } else if (isPlain && type == ColorSpace.TYPE_GRAY) {
      components(image.getRaster(), out, 0);
    } else {
      colours(image, out);
    }
    return Picture.of(image.getWidth(), image.getHeight(), out);
  }

  /** Each channel from a band of its own, or all from the first. */
  private static void components(Raster raster, byte[] out, int bandStep) {
    int bands = raster.getNumBands();
    int width = raster.getWidth();
    int[] row = new int[bands * width];
    int[] bits = raster.getSampleModel().getSampleSize();
    int to = 0;
    for (int y = 0; y < raster.getHeight(); y++) {
      raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < Picture.CHANNELS; c++) {
          int band = c * bandStep;
          out[to++] = (byte) eight(row[x * bands + band], bits[band]);
        }
      }
    }
  }

  private static int eight(int sample, int bits) {
    return bits >= 8 ? sample >> bits - 8 : sample * 255 / ((1 << bits) - 1);
  }

  /** Palettes, packed pixels and what has no red, green and blue. */
  private static void colours(BufferedImage image, byte[] out) {
    int[] row = new int[image.getWidth()];
    int to = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      image.getRGB(0, y, row.length, 1, row, 0, row.length);
      for (int rgb : row) {
        out[to++] = (byte) (rgb >> 16);
        out[to++] = (byte) (rgb >> 8);
        out[to++] = (byte) rgb;
      }
    }
  }
}
