package weft.image.webp;

/**
 * What blocks are thought to be before their difference is added: what lies above and to the left
 * of them, gone on with (RFC 6386, section 12). Modes have the numbers that chances are listed by.
 */
final class Prediction {
  static final int MEAN = 0;
  static final int TRUE_MOTION = 1;
  static final int DOWN = 2;
  static final int ACROSS = 3;
  private static final int RIGHT_DOWN = 4;
  private static final int DOWN_RIGHT = 5;
  private static final int LEFT_DOWN = 6;
  private static final int DOWN_LEFT = 7;
  private static final int ACROSS_DOWN = 8;
  private static final int ACROSS_UP = 9;

  /** Where the corner is of the pixels around a small block, from the lowest at its left on. */
  private static final int CORNER = 4;

  private static final int AROUND = 13;

  private Prediction() {}

  /** A block of all of a channel's pixels of a macroblock. */
  static void large(Plane plane, int x, int y, int size, int mode) {
    int at = plane.at(x, y);
    int mean = mode == MEAN ? mean(plane, at, size, x > 0, y > 0) : 0;
    int corner = plane.get(at - plane.stride - 1);
    for (int j = 0; j < size; j++) {
      int row = at + j * plane.stride;
      int left = plane.get(row - 1);
      for (int i = 0; i < size; i++) {
        int above = plane.get(at - plane.stride + i);
        plane.bytes[row + i] =
            switch (mode) {
              case MEAN -> (byte) mean;
              case TRUE_MOTION -> Plane.clip(left + above - corner);
              case DOWN -> (byte) above;
              default -> (byte) left;
            };
      }
    }
  }

  /** Of the neighbours that are in the picture. */
  private static int mean(Plane plane, int at, int size, boolean hasLeft, boolean hasAbove) {
    if (!hasLeft && !hasAbove) return 128;
    int sum = 0;
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (hasLeft) sum += plane.get(at + i * plane.stride - 1);
      if (hasAbove) sum += plane.get(at - plane.stride + i);
      count += (hasLeft ? 1 : 0) + (hasAbove ? 1 : 0);
    }
    return (sum + count / 2) / count;
  }

  /**
   * A block of four by four pixels.
   *
   * @param right the four pixels to the right of those above it
   */
  static void small(Plane plane, int at, int mode, int[] right) {
    int[] around = new int[AROUND];
    for (int i = 0; i < 4; i++) {
      around[3 - i] = plane.get(at + i * plane.stride - 1);
      around[CORNER + 1 + i] = plane.get(at - plane.stride + i);
      around[CORNER + 5 + i] = right[i];
    }
    around[CORNER] = plane.get(at - plane.stride - 1);
    int mean = 4;
    for (int i = 0; i < 9; i++) mean += i == CORNER ? 0 : around[i];
    for (int y = 0; y < 4; y++) {
      for (int x = 0; x < 4; x++) {
        plane.bytes[at + y * plane.stride + x] =
            mode == MEAN ? (byte) (mean >> 3) : (byte) small(around, mode, x, y);
      }
    }
  }

  private static int small(int[] a, int mode, int x, int y) {
    return switch (mode) {
      case TRUE_MOTION -> Plane.clip(a[3 - y] + a[CORNER + 1 + x] - a[CORNER]);
      case DOWN -> three(a, CORNER + 1 + x);
      case ACROSS -> three(a, 3 - y);
      case RIGHT_DOWN -> three(a, CORNER + x - y);
      case LEFT_DOWN -> three(a, CORNER + 2 + x + y);
      case DOWN_RIGHT -> downRight(a, x, y);
      case DOWN_LEFT -> downLeft(a, x, y);
      case ACROSS_DOWN -> acrossDown(a, x, y);
      case ACROSS_UP -> acrossUp(a, x + 2 * y);
      default -> throw new IllegalArgumentException("mode " + mode);
    };
  }

  private static int downRight(int[] a, int x, int y) {
    if (x < y / 2) return three(a, CORNER + 1 - y);
    int from = CORNER + x - y / 2;
    return y % 2 == 0 ? two(a, from) : three(a, from);
  }

  private static int downLeft(int[] a, int x, int y) {
    if (x == 3 && y > 1) return three(a, CORNER + 4 + y);
    int from = CORNER + 1 + x + y / 2;
    return y % 2 == 0 ? two(a, from) : three(a, from + 1);
  }

  private static int acrossDown(int[] a, int x, int y) {
    if (y < x / 2) return three(a, CORNER - 1 + x);
    int from = 3 - y + x / 2;
    return x % 2 == 0 ? two(a, from) : three(a, from + 1);
  }

  private static int acrossUp(int[] a, int along) {
    if (along > 5) return a[0];
    return along % 2 == 0 ? two(a, 2 - along / 2) : three(a, 2 - along / 2);
  }

  private static int two(int[] a, int from) {
    return a[from] + a[from + 1] + 1 >> 1;
  }

  /** The ends go on as they are. */
  private static int three(int[] a, int middle) {
    return a[Math.max(0, middle - 1)] + 2 * a[middle] + a[Math.min(AROUND - 1, middle + 1)] + 2
        >> 2;
  }
}
