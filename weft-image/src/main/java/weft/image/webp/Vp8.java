package weft.image.webp;

import java.io.IOException;
import java.util.Arrays;

/**
 * Reads a picture of VP8 that needs none before it, macroblock by macroblock: what it is predicted
 * to be, and the difference. Edges are smoothed when all are there, for predictions are made from
 * what was not. One thread's.
 */
public final class Vp8 {
  private static final int SIDE = 16;
  private static final int HALF = 8;

  /** The ways to predict a small block: branches of a tree, and leaves below zero. */
  private static final int[] MODE_TREE = {
    0, 1, -1, 2, -2, 3, 4, 6, -3, 5, -4, -5, -6, 7, -7, 8, -8, -9
  };

  private final Head head;
  private final int columns;
  private final int rows;
  private final Plane luma;
  private final Plane blue;
  private final Plane red;
  private final Differences differences;
  private final int[] modesAbove;
  private final int[] modesLeft = new int[4];
  private final int[] modes = new int[16];

  /** What each macroblock's edges are smoothed by, and whether those within it are. */
  private final Smoothing.Strength[] strengths;

  private final boolean[] isInner;

  private Vp8(byte[] file, int from, int to) throws IOException {
    this.head = new Head(file, from, to);
    this.columns = (head.width + SIDE - 1) / SIDE;
    this.rows = (head.height + SIDE - 1) / SIDE;
    this.luma = new Plane(columns * SIDE, rows * SIDE);
    this.blue = new Plane(columns * HALF, rows * HALF);
    this.red = new Plane(columns * HALF, rows * HALF);
    this.differences = new Differences(head, columns);
    this.modesAbove = new int[4 * columns];
    this.strengths = new Smoothing.Strength[columns * rows];
    this.isInner = new boolean[columns * rows];
  }

  /** The width and the height of a picture between two places of a file. */
  public static int[] size(byte[] file, int from, int to) throws IOException {
    return Head.size(file, from, to);
  }

  /** Its pixels, row by row, as numbers of red, green and blue behind a byte of ones. */
  public static int[] read(byte[] file, int from, int to) throws IOException {
    return new Vp8(file, from, to).read();
  }

  private int[] read() throws IOException {
    for (int y = 0; y < rows; y++) {
      differences.beginRow();
      Arrays.fill(modesLeft, Prediction.MEAN);
      for (int x = 0; x < columns; x++) read(x, y);
    }
    if (head.isSmoothed) smooth();
    return new Colours(luma, blue, red, head.width, head.height).pixels();
  }

  private void read(int x, int y) throws IOException {
    var bits = head.modes;
    int segment = head.isSegmented ? segment(bits) : 0;
    boolean isEmpty = head.emptyChance >= 0 && bits.is(head.emptyChance);
    boolean isWhole = bits.is(145);
    if (isWhole) {
      readWhole(bits, x);
    } else {
      readSmall(bits, x);
    }
    int colours = colours(bits);
    boolean isAny = false;
    if (isEmpty) {
      differences.none(x, isWhole);
      Arrays.fill(differences.coefficients, 0);
    } else {
      var part = head.parts[y % head.parts.length];
      isAny = differences.read(part, x, isWhole, head.steps[segment]);
    }
    predict(x, y, isWhole, colours);
    strengths[y * columns + x] = head.strengths[segment][isWhole ? 0 : 1];
    isInner[y * columns + x] = isAny || !isWhole;
  }

  private int segment(Bits bits) throws IOException {
    var chances = head.segmentChances;
    return bits.is(chances[0]) ? 2 + bits.bit(chances[2]) : bits.bit(chances[1]);
  }

  private void readWhole(Bits bits, int x) throws IOException {
    int mode =
        bits.is(156)
            ? bits.is(128) ? Prediction.TRUE_MOTION : Prediction.ACROSS
            : bits.is(163) ? Prediction.DOWN : Prediction.MEAN;
    Arrays.fill(modes, mode);
    Arrays.fill(modesAbove, 4 * x, 4 * x + 4, mode);
    Arrays.fill(modesLeft, mode);
  }

  private void readSmall(Bits bits, int x) throws IOException {
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < 4; i++) {
        int chances = (modesAbove[4 * x + i] * Tables.MODES + modesLeft[j]) * (Tables.MODES - 1);
        int node = 0;
        do {
          node = MODE_TREE[2 * node + bits.bit(Tables.MODE_CHANCES[chances + node])];
        } while (node > 0);
        modes[4 * j + i] = modesAbove[4 * x + i] = modesLeft[j] = -node;
      }
    }
  }

  private static int colours(Bits bits) throws IOException {
    if (!bits.is(142)) return Prediction.MEAN;
    if (!bits.is(114)) return Prediction.DOWN;
    return bits.is(183) ? Prediction.TRUE_MOTION : Prediction.ACROSS;
  }

  private void predict(int x, int y, boolean isWhole, int colours) {
    var coefficients = differences.coefficients;
    var right = isWhole ? new int[4] : right(x, y);
    if (isWhole) Prediction.large(luma, x * SIDE, y * SIDE, SIDE, modes[0]);
    for (int block = 0; block < 16; block++) {
      int at = luma.at(x * SIDE + block % 4 * 4, y * SIDE + block / 4 * 4);
      if (!isWhole) Prediction.small(luma, at, modes[block], block % 4 == 3 ? right : beside(at));
      Transform.add(coefficients, 16 * block, luma, at);
    }
    int block = 16;
    for (var plane : new Plane[] {blue, red}) {
      Prediction.large(plane, x * HALF, y * HALF, HALF, colours);
      for (int i = 0; i < 4; i++, block++) {
        int at = plane.at(x * HALF + i % 2 * 4, y * HALF + i / 2 * 4);
        Transform.add(coefficients, 16 * block, plane, at);
      }
    }
  }

  /** Four pixels to the right of those above a block. */
  private int[] beside(int at) {
    var right = new int[4];
    for (int i = 0; i < 4; i++) right[i] = luma.get(at - luma.stride + 4 + i);
    return right;
  }

  /**
   * For all blocks at the right of a macroblock: from above it, for what is beside is not there.
   */
  private int[] right(int x, int y) {
    var right = beside(luma.at(x * SIDE + 12, y * SIDE));
    if (y > 0 && x == columns - 1) {
      Arrays.fill(right, luma.get(luma.at(x * SIDE + 15, y * SIDE - 1)));
    }
    return right;
  }

  private void smooth() {
    var all = new Smoothing[] {new Smoothing(luma), new Smoothing(blue), new Smoothing(red)};
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x++) {
        var strength = strengths[y * columns + x];
        if (strength.edge() == 0) continue;
        if (head.isPlain) {
          smoothPlainly(all[0], x, y, strength);
          continue;
        }
        smooth(all[0], luma.at(x * SIDE, y * SIDE), luma.stride, SIDE, x, y);
        smooth(all[1], blue.at(x * HALF, y * HALF), blue.stride, HALF, x, y);
        smooth(all[2], red.at(x * HALF, y * HALF), red.stride, HALF, x, y);
      }
    }
  }

  private void smooth(Smoothing plane, int at, int stride, int side, int x, int y) {
    var inner = strengths[y * columns + x];
    boolean isWithin = isInner[y * columns + x];
    if (x > 0) plane.upright(at, side, inner.outer(), true);
    for (int i = 4; isWithin && i < side; i += 4) plane.upright(at + i, side, inner, false);
    if (y > 0) plane.level(at, side, inner.outer(), true);
    for (int i = 4; isWithin && i < side; i += 4) plane.level(at + i * stride, side, inner, false);
  }

  private void smoothPlainly(Smoothing plane, int x, int y, Smoothing.Strength strength) {
    int at = luma.at(x * SIDE, y * SIDE);
    boolean isWithin = isInner[y * columns + x];
    if (x > 0) plane.plainUpright(at, SIDE, strength.outer().edge());
    for (int i = 4; isWithin && i < SIDE; i += 4) plane.plainUpright(at + i, SIDE, strength.edge());
    if (y > 0) plane.plainLevel(at, SIDE, strength.outer().edge());
    for (int i = 4; isWithin && i < SIDE; i += 4) {
      plane.plainLevel(at + i * luma.stride, SIDE, strength.edge());
    }
  }
}
