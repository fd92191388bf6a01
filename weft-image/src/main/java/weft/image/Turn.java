package weft.image;

/** Turns and mirrors a picture, as TIFF numbers the eight ways to hold a camera. */
final class Turn {
  private Turn() {}

  static Picture upright(int orientation, Picture picture) {
    if (orientation == 1) return picture;
    boolean isTurned = orientation >= 5;
    int width = isTurned ? picture.height() : picture.width();
    int height = isTurned ? picture.width() : picture.height();
    var out = new byte[Picture.CHANNELS * width * height];
    byte[] in = picture.pixels();
    int to = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int from = Picture.CHANNELS * source(orientation, x, y, picture);
        for (int c = 0; c < Picture.CHANNELS; c++) out[to++] = in[from + c];
      }
    }
    return Picture.of(width, height, out);
  }

  /** Which pixel of the picture goes to a place of the upright one. */
  private static int source(int orientation, int x, int y, Picture of) {
    int right = of.width() - 1;
    int bottom = of.height() - 1;
    return switch (orientation) {
      case 2 -> y * of.width() + right - x;
      case 3 -> (bottom - y) * of.width() + right - x;
      case 4 -> (bottom - y) * of.width() + x;
      case 5 -> x * of.width() + y;
      case 6 -> (bottom - x) * of.width() + y;
      case 7 -> (bottom - x) * of.width() + right - y;
      default -> x * of.width() + right - y;
    };
  }
}
