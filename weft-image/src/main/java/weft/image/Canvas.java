package weft.image;

import java.awt.image.BufferedImage;
import java.util.Arrays;

/** What an animation's pictures are put on, one after the other. One thread's. */
final class Canvas {
  private final int width;
  private final int height;
  private final int[] pixels;

  Canvas(int width, int height, int colour) {
    this.width = width;
    this.height = height;
    this.pixels = new int[width * height];
    Arrays.fill(pixels, colour);
  }

  /** The part of an area that is on it. */
  private Cel.Area within(Cel.Area area) {
    int left = Math.clamp(area.left(), 0, width);
    int top = Math.clamp(area.top(), 0, height);
    int right = (int) Math.min(width, (long) area.left() + area.width());
    int bottom = (int) Math.min(height, (long) area.top() + area.height());
    return new Cel.Area(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  void put(BufferedImage image, Cel cel) {
    var area =
        within(
            new Cel.Area(cel.area().left(), cel.area().top(), image.getWidth(), image.getHeight()));
    if (area.pixels() == 0) return;
    var row = new int[area.width()];
    for (int y = 0; y < area.height(); y++) {
      image.getRGB(0, y, row.length, 1, row, 0, row.length);
      int to = at(area, y);
      switch (cel.manner()) {
        case REPLACING -> System.arraycopy(row, 0, pixels, to, row.length);
        case OVER -> {
          for (int x = 0; x < row.length; x++) pixels[to + x] = over(row[x], pixels[to + x]);
        }
      }
    }
  }

  /** A colour over another, both with how much of them is seen, as WebP's own library rounds it. */
  private static int over(int above, int below) {
    int seen = above >>> 24;
    if (seen == 255) return above;
    if (seen == 0) return below;
    int left = (below >>> 24) * (256 - seen) >> 8;
    int all = seen + left;
    long part = (1L << 24) / all;
    int out = all << 24;
    for (int shift = 0; shift <= 16; shift += 8) {
      int sum = (above >> shift & 0xFF) * seen + (below >> shift & 0xFF) * left;
      out |= (int) (sum * part >> 24) << shift;
    }
    return out;
  }

  void fill(Cel.Area area, int colour) {
    var on = within(area);
    for (int y = 0; y < on.height(); y++) {
      Arrays.fill(pixels, at(on, y), at(on, y) + on.width(), colour);
    }
  }

  /** What is in an area, to be taken back: no more of it, for pictures are many and small. */
  int[] kept(Cel.Area area) {
    var on = within(area);
    var kept = new int[on.width() * on.height()];
    for (int y = 0; y < on.height(); y++) {
      System.arraycopy(pixels, at(on, y), kept, y * on.width(), on.width());
    }
    return kept;
  }

  void takeBack(Cel.Area area, int[] kept) {
    var on = within(area);
    for (int y = 0; y < on.height(); y++) {
      System.arraycopy(kept, y * on.width(), pixels, at(on, y), on.width());
    }
  }

  private int at(Cel.Area on, int row) {
    return (on.top() + row) * width + on.left();
  }

  /** What is transparent shows the colour that it has, as in any picture. */
  Picture picture() {
    var out = new byte[Picture.CHANNELS * pixels.length];
    int to = 0;
    for (int rgb : pixels) {
      out[to++] = (byte) (rgb >> 16);
      out[to++] = (byte) (rgb >> 8);
      out[to++] = (byte) rgb;
    }
    return Picture.of(width, height, out);
  }
}
