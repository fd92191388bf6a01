package weft.image.webp;

/**
 * Red, green and blue of pixels whose colours are kept once for every four: each is between its
 * nearest ones, nine parts of the nearest, three of the next two and one of the farthest.
 */
final class Colours {
  private final Plane luma;
  private final Plane[] chroma;
  private final int width;
  private final int height;

  Colours(Plane luma, Plane blue, Plane red, int width, int height) {
    this.luma = luma;
    this.chroma = new Plane[] {blue, red};
    this.width = width;
    this.height = height;
  }

  int[] pixels() {
    var out = new int[width * height];
    var lines = new int[2][width];
    int last = (height + 1) / 2 - 1;
    for (int y = 0; y < height; y++) {
      int near = y / 2;
      int far = Math.clamp(y % 2 == 0 ? near - 1 : near + 1, 0, last);
      for (int c = 0; c < 2; c++) between(chroma[c], near, far, lines[c]);
      for (int x = 0; x < width; x++) {
        out[y * width + x] = rgb(luma.get(luma.at(x, y)), lines[0][x], lines[1][x]);
      }
    }
    return out;
  }

  /** A line of colours from that row of them which is nearest, and the next one. */
  private void between(Plane plane, int nearRow, int farRow, int[] out) {
    int near = plane.at(0, nearRow);
    int far = plane.at(0, farRow);
    out[0] = 3 * plane.get(near) + plane.get(far) + 2 >> 2;
    for (int x = 1; 2 * x < width; x++) {
      int left = plane.get(near + x - 1);
      int right = plane.get(near + x);
      int farLeft = plane.get(far + x - 1);
      int farRight = plane.get(far + x);
      int sum = left + right + farLeft + farRight + 8;
      out[2 * x - 1] = (sum + 2 * (right + farLeft) >> 3) + left >> 1;
      out[2 * x] = (sum + 2 * (left + farRight) >> 3) + right >> 1;
    }
    if (width % 2 == 0) {
      int last = width / 2 - 1;
      out[width - 1] = 3 * plane.get(near + last) + plane.get(far + last) + 2 >> 2;
    }
  }

  /** By the rounding of the format's own library, of six bits behind the point. */
  private static int rgb(int luma, int blue, int red) {
    int base = luma * 19077 >> 8;
    int r = base + (red * 26149 >> 8) - 14234;
    int g = base - (blue * 6419 >> 8) - (red * 13320 >> 8) + 8708;
    int b = base + (blue * 33050 >> 8) - 17685;
    return 0xFF << 24 | eight(r) << 16 | eight(g) << 8 | eight(b);
  }

  private static int eight(int value) {
    return Math.clamp(value >> 6, 0, 255);
  }
}
