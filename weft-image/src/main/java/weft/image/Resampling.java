package weft.image;

import java.util.function.DoubleUnaryOperator;

/**
 * Another size of a picture, as Pillow makes it: columns first, then rows, each a weighted sum of
 * what lies under a filter that is widened where the picture shrinks, rounded to bytes in between.
 * Weights are whole numbers of 22 bits behind the point.
 */
public enum Resampling {
  BILINEAR(1, x -> x < 1 ? 1 - x : 0),

  /** Of Keys' family, with -0.5. */
  BICUBIC(
      2, x -> x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0);

  private static final int BITS = 22;

  private final double support;
  private final DoubleUnaryOperator filter;

  Resampling(double support, DoubleUnaryOperator filter) {
    this.support = support;
    this.filter = filter;
  }

  /** What each place of a line is made of: the first place of the other line, and weights. */
  private record Taps(int[] first, int[][] weights) {}

  private Taps taps(int from, int to) {
    double scale = (double) from / to;
    double wide = Math.max(scale, 1);
    var first = new int[to];
    var weights = new int[to][];
    for (int i = 0; i < to; i++) {
      double center = (i + 0.5) * scale;
      int low = Math.max(0, (int) (center - support * wide + 0.5));
      int high = Math.min(from, (int) (center + support * wide + 0.5));
      var exact = new double[high - low];
      double sum = 0;
      for (int k = 0; k < exact.length; k++) {
        exact[k] = filter.applyAsDouble(Math.abs((low + k - center + 0.5) / wide));
        sum += exact[k];
      }
      first[i] = low;
      weights[i] = new int[exact.length];
      for (int k = 0; k < exact.length; k++) {
        weights[i][k] = (int) Math.round(exact[k] / sum * (1 << BITS));
      }
    }
    return new Taps(first, weights);
  }

  /** The whole picture, so wide and so high. */
  public Picture resize(Picture picture, int width, int height) {
    var wide = picture.width() == width ? picture : across(picture, width);
    return picture.height() == height ? wide : down(wide, height);
  }

  private Picture across(Picture from, int width) {
    var taps = taps(from.width(), width);
    var out = new byte[bytes(width, from.height())];
    byte[] in = from.pixels();
    for (int y = 0, to = 0; y < from.height(); y++) {
      int row = y * from.width();
      for (int x = 0; x < width; x++) {
        int[] weights = taps.weights[x];
        for (int c = 0; c < Picture.CHANNELS; c++) {
          int sum = 1 << BITS - 1;
          int at = (row + taps.first[x]) * Picture.CHANNELS + c;
          for (int weight : weights) {
            sum += weight * (in[at] & 0xFF);
            at += Picture.CHANNELS;
          }
          out[to++] = clip(sum);
        }
      }
    }
    return Picture.of(width, from.height(), out);
  }

  private Picture down(Picture from, int height) {
    var taps = taps(from.height(), height);
    int row = from.width() * Picture.CHANNELS;
    var out = new byte[bytes(from.width(), height)];
    byte[] in = from.pixels();
    for (int y = 0, to = 0; y < height; y++) {
      int[] weights = taps.weights[y];
      for (int x = 0; x < row; x++) {
        int sum = 1 << BITS - 1;
        int at = taps.first[y] * row + x;
        for (int weight : weights) {
          sum += weight * (in[at] & 0xFF);
          at += row;
        }
        out[to++] = clip(sum);
      }
    }
    return Picture.of(from.width(), height, out);
  }

  private static int bytes(int width, int height) {
    return Math.multiplyExact(Picture.CHANNELS, Math.multiplyExact(width, height));
  }

  private static byte clip(int sum) {
    return (byte) Math.clamp(sum >> BITS, 0, 255);
  }
}
