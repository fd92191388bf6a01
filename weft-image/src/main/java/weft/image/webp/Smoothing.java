package weft.image.webp;

/** Smooths the edges of blocks, where they are not too great to be a block's (section 15). */
final class Smoothing {
  /**
   * How much is smoothed.
   *
   * @param edge the greatest step that counts as a block's
   * @param inner the greatest step beside it
   * @param steep a step beside it from which on less is changed
   */
  record Strength(int edge, int inner, int steep) {
    static final Strength NONE = new Strength(0, 0, 0);

    /** Of a level from 0 to 63. */
    static Strength of(int level, int sharpness) {
      if (level == 0) return NONE;
      int inner = sharpness > 4 ? level >> 2 : sharpness > 0 ? level >> 1 : level;
      if (sharpness > 0) inner = Math.min(inner, 9 - sharpness);
      inner = Math.max(inner, 1);
      return new Strength(2 * level + inner, inner, level >= 40 ? 2 : level >= 15 ? 1 : 0);
    }

    /** For edges of macroblocks. */
    Strength outer() {
      return new Strength(edge + 4, inner, steep);
    }
  }

  private final byte[] bytes;
  private final int stride;

  Smoothing(Plane plane) {
    this.bytes = plane.bytes;
    this.stride = plane.stride;
  }

  /** An edge before the column at {@code at}, so many pixels down. */
  void upright(int at, int pixels, Strength strength, boolean isOuter) {
    edge(at, 1, stride, pixels, strength, isOuter);
  }

  /** An edge above the row at {@code at}, so many pixels across. */
  void level(int at, int pixels, Strength strength, boolean isOuter) {
    edge(at, stride, 1, pixels, strength, isOuter);
  }

  private void edge(int at, int step, int next, int pixels, Strength strength, boolean isOuter) {
    for (int i = 0, q = at; i < pixels; i++, q += next) {
      if (!isStep(q, step, strength.edge) || !isEven(q, step, strength.inner)) continue;
      if (isSteep(q, step, strength.steep)) {
        nearest(q, step);
      } else if (isOuter) {
        three(q, step);
      } else {
        two(q, step);
      }
    }
  }

  /** The plain way, which looks at the nearest pixels alone. */
  void plainUpright(int at, int pixels, int limit) {
    plain(at, 1, stride, pixels, limit);
  }

  void plainLevel(int at, int pixels, int limit) {
    plain(at, stride, 1, pixels, limit);
  }

  private void plain(int at, int step, int next, int pixels, int limit) {
    for (int i = 0, q = at; i < pixels; i++, q += next) {
      if (isStep(q, step, limit)) nearest(q, step);
    }
  }

  private int get(int at) {
    return bytes[at] & 0xFF;
  }

  private int apart(int one, int other) {
    return Math.abs(get(one) - get(other));
  }

  private boolean isStep(int q, int step, int limit) {
    return 4 * apart(q - step, q) + apart(q - 2 * step, q + step) <= 2 * limit + 1;
  }

  private boolean isEven(int q, int step, int limit) {
    return apart(q - 4 * step, q - 3 * step) <= limit
        && apart(q - 3 * step, q - 2 * step) <= limit
        && apart(q - 2 * step, q - step) <= limit
        && apart(q + 3 * step, q + 2 * step) <= limit
        && apart(q + 2 * step, q + step) <= limit
        && apart(q + step, q) <= limit;
  }

  private boolean isSteep(int q, int step, int limit) {
    return apart(q - 2 * step, q - step) > limit || apart(q + step, q) > limit;
  }

  private static int signedByte(int value) {
    return Math.clamp(value, -128, 127);
  }

  private static int small(int value) {
    return Math.clamp(value, -16, 15);
  }

  private int across(int q, int step) {
    return 3 * (get(q) - get(q - step));
  }

  private int beside(int q, int step) {
    return signedByte(get(q - 2 * step) - get(q + step));
  }

  /** Moves two pixels towards each other. */
  private void move(int before, int up, int behind, int down) {
    bytes[before] = Plane.clip(get(before) + up);
    bytes[behind] = Plane.clip(get(behind) - down);
  }

  private void nearest(int q, int step) {
    int a = across(q, step) + beside(q, step);
    move(q - step, small(a + 3 >> 3), q, small(a + 4 >> 3));
  }

  private void two(int q, int step) {
    int a = across(q, step);
    int down = small(a + 4 >> 3);
    move(q - step, small(a + 3 >> 3), q, down);
    int half = down + 1 >> 1;
    move(q - 2 * step, half, q + step, half);
  }

  private void three(int q, int step) {
    int a = signedByte(across(q, step) + beside(q, step));
    for (int i = 0; i < 3; i++) {
      int by = (27 - 9 * i) * a + 63 >> 7;
      move(q - (i + 1) * step, by, q + i * step, by);
    }
  }
}
