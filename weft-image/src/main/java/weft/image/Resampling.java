package weft.image;

import java.util.function.DoubleUnaryOperator;

/**
 * Another size of a picture, as Torchvision makes it, by which processors of Transformers resize:
 * columns first, then rows, each a weighted sum of what lies under a filter that is widened where
 * the picture shrinks, rounded to bytes in between. Weights are whole numbers of 16 bits, with as
 * many behind the point as the greatest leaves.
 */
public enum Resampling {
  BILINEAR(1, x -> x < 1 ? 1 - x : 0),

  /** Of Keys' family, with -0.5. */
  BICUBIC(
      2, x -> x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0);

  private static final int ALL_BITS = 22;

  private final double support;
  private final DoubleUnaryOperator filter;

  Resampling(double support, DoubleUnaryOperator filter) {
    this.support = support;
    this.filter = filter;
  }

  /**
   * What each place of a line is made of: the first place of the other line, and weights.
   *
   * @param bits of the weights behind the point
   */
  private record Taps(int[] first, int[][] weights, int bits) {
    byte rounded(int sum) {
      return (byte) Math.clamp(sum >> bits, 0, 255);
    }

    int half() {
      return 1 << bits - 1;
    }
  }

  private Taps taps(int from, int to) {
    double scale = (double) from / to;
    double wide = Math.max(scale, 1);
    var first = new int[to];
    var exact = new double[to][];
    double greatest = 0;
    for (int i = 0; i < to; i++) {
      double center = (i + 0.5) * scale;
      int low = Math.max(0, (int) (center - support * wide + 0.5));
      int high = Math.min(from, (int) (center + support * wide + 0.5));
      exact[i] = new double[high - low];
      double sum = 0;
      for (int k = 0; k < exact[i].length; k++) {
        exact[i][k] = filter.applyAsDouble(Math.abs((low + k - center + 0.5) / wide));
        sum += exact[i][k];
      }
      for (int k = 0; k < exact[i].length; k++) {
        exact[i][k] /= sum;
        greatest = Math.max(greatest, exact[i][k]);
      }
      first[i] = low;
    }
    return new Taps(first, whole(exact, bits(greatest)), bits(greatest));
  }

  private static int bits(double greatest) {
    int bits = 0;
    while (bits < ALL_BITS && (int) (0.5 + greatest * (1 << bits + 1)) < 1 << 15) bits++;
    return bits;
  }

  private static int[][] whole(double[][] exact, int bits) {
    var weights = new int[exact.length][];
    for (int i = 0; i < exact.length; i++) {
      weights[i] = new int[exact[i].length];
      for (int k = 0; k < exact[i].length; k++) {
        double weight = exact[i][k] * (1 << bits);
        weights[i][k] = (int) (weight < 0 ? weight - 0.5 : weight + 0.5);
      }
    }
    return weights;
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
          int sum = taps.half();
          int at = (row + taps.first[x]) * Picture.CHANNELS + c;
          for (int weight : weights) {
            sum += weight * (in[at] & 0xFF);
            at += Picture.CHANNELS;
          }
          out[to++] = taps.rounded(sum);
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
        int sum = taps.half();
        int at = taps.first[y] * row + x;
        for (int weight : weights) {
          sum += weight * (in[at] & 0xFF);
          at += row;
        }
        out[to++] = taps.rounded(sum);
      }
    }
    return Picture.of(from.width(), height, out);
  }

  private static int bytes(int width, int height) {
    return Math.multiplyExact(Picture.CHANNELS, Math.multiplyExact(width, height));
  }
}
