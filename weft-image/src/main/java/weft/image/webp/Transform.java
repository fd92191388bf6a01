package weft.image.webp;

/** From coefficients to differences of pixels (RFC 6386, section 14). */
final class Transform {
  private Transform() {}

  /** Sixteen first coefficients of blocks from those that are kept for them together. */
  static void first(int[] kept, int[] coefficients) {
    var half = new int[16];
    for (int i = 0; i < 4; i++) {
      int outer = kept[i] + kept[12 + i];
      int inner = kept[4 + i] + kept[8 + i];
      int across = kept[4 + i] - kept[8 + i];
      int beside = kept[i] - kept[12 + i];
      half[i] = outer + inner;
      half[4 + i] = beside + across;
      half[8 + i] = outer - inner;
      half[12 + i] = beside - across;
    }
    for (int i = 0; i < 4; i++) {
      int round = half[4 * i] + 3;
      int outer = round + half[4 * i + 3];
      int inner = half[4 * i + 1] + half[4 * i + 2];
      int across = half[4 * i + 1] - half[4 * i + 2];
      int beside = round - half[4 * i + 3];
      coefficients[64 * i] = outer + inner >> 3;
      coefficients[64 * i + 16] = beside + across >> 3;
      coefficients[64 * i + 32] = outer - inner >> 3;
      coefficients[64 * i + 48] = beside - across >> 3;
    }
  }

  /** Adds the difference of a block of four by four pixels to what was predicted. */
  static void add(int[] coefficients, int from, Plane plane, int at) {
    boolean isAny = false;
    for (int i = from; i < from + 16; i++) isAny |= coefficients[i] != 0;
    if (!isAny) return;
    var half = new int[16];
    for (int i = 0; i < 4; i++) {
      int first = coefficients[from + i];
      int second = coefficients[from + 4 + i];
      int third = coefficients[from + 8 + i];
      int fourth = coefficients[from + 12 + i];
      int a = first + third;
      int b = first - third;
      int c = less(second) - more(fourth);
      int d = more(second) + less(fourth);
      half[4 * i] = a + d;
      half[4 * i + 1] = b + c;
      half[4 * i + 2] = b - c;
      half[4 * i + 3] = a - d;
    }
    for (int i = 0; i < 4; i++) {
      int round = half[i] + 4;
      int a = round + half[8 + i];
      int b = round - half[8 + i];
      int c = less(half[4 + i]) - more(half[12 + i]);
      int d = more(half[4 + i]) + less(half[12 + i]);
      int to = at + i * plane.stride;
      plane.add(to, a + d >> 3);
      plane.add(to + 1, b + c >> 3);
      plane.add(to + 2, b - c >> 3);
      plane.add(to + 3, a - d >> 3);
    }
  }

  /** Times the square root of 2 and the cosine of an eighth of a half turn. */
  private static int more(int value) {
    return (value * 20091 >> 16) + value;
  }

  /** Times the square root of 2 and its sine. */
  private static int less(int value) {
    return value * 35468 >> 16;
  }
}
