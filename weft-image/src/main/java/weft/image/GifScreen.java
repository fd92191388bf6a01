package weft.image;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.util.Arrays;
import java.util.Optional;

/**
 * The screen of a GIF file, on which its first picture is put somewhere: around it is what shows
 * through, or else the first colour.
 *
 * @param left of the picture
 * @param top of the picture
 */
record GifScreen(int width, int height, int left, int top) {
  private static final int HEAD = 13;
  private static final int EXTENSION = 0x21;
  private static final int PICTURE = 0x2C;

  /** Empty where a file ends before its first picture. */
  static Optional<GifScreen> of(byte[] file) {
    if (file.length < HEAD) return Optional.empty();
    int flags = file[10];
    int at = HEAD + ((flags & 0x80) == 0 ? 0 : 3 << (flags & 7) + 1);
    while (at + 10 <= file.length) {
      switch (file[at]) {
        case PICTURE -> {
          int left = number(file, at + 1);
          int top = number(file, at + 3);
          return Optional.of(
              new GifScreen(
                  Math.max(number(file, 6), left + number(file, at + 5)),
                  Math.max(number(file, 8), top + number(file, at + 7)),
                  left,
                  top));
        }
        case EXTENSION -> at = behind(file, at + 2);
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static int number(byte[] file, int at) {
    return file[at] & 0xFF | (file[at + 1] & 0xFF) << 8;
  }

  /** Behind blocks, each of which begins with its length, and an empty one. */
  static int behind(byte[] file, int from) {
    int at = from;
    while (at < file.length && file[at] != 0) at += 1 + (file[at] & 0xFF);
    return at + 1;
  }

  /** The picture where it is on the screen. */
  BufferedImage with(BufferedImage picture) {
    boolean isAll = picture.getWidth() == width && picture.getHeight() == height;
    if (isAll || !(picture.getColorModel() instanceof IndexColorModel colours)) return picture;
    var raster = colours.createCompatibleWritableRaster(width, height);
    var row = new int[width];
    Arrays.fill(row, Math.max(0, colours.getTransparentPixel()));
    for (int y = 0; y < height; y++) raster.setPixels(0, y, width, 1, row);
    raster.setRect(left, top, picture.getRaster());
    return new BufferedImage(colours, raster, false, null);
  }
}
