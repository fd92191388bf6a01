package weft.cpu.kernel.product;

import weft.cpu.kernel.product.Tile.Kind;

/**
 * What a worker's scratch memory holds while 16 packed rows meet up to 16 tokens in AMX's tiles.
 *
 * <pre>
 *   pointers  16                     where the next packed values of each row are
 *   bytes     [16 rows][256]         unpacked weights of a step, signed: the first factor
 *   scales    [16 rows][16] floats   of a row's runs, or, of short blocks, [2 blocks][16 rows]
 *   minimums  the same
 *   products  [16 runs][16 rows][16 tokens] integers
 *   totals    [16 rows][16 tokens] floats, what earlier blocks came to
 *   blocks    [k/shared] of
 *     x       [shared/4][16 tokens][4] bytes: the second factor
 *     scale   [16 tokens] floats
 *     sums    [sums][16 tokens]      what meets minimums: floats, integers, or words in pairs
 * </pre>
 *
 * @param shared values under one scale of the activations: 32 or 256
 * @param sums of so many values that minimums meet
 */
record AmxLayout(int shared, int sums) {
  static final int TOKENS = 16;
  static final int ROWS = 16;
  static final int LINE = 64;

  /** The values that are unpacked at once: a long block, or two short ones. */
  static final int LONG_STEP = 256;

  static final int SHORT_STEP = 64;

  static final int POINTERS = 0;
  static final int BYTES = POINTERS + 8 * ROWS;
  static final int BYTE_ROW = LONG_STEP;
  static final int SCALES = BYTES + ROWS * BYTE_ROW;
  static final int MINIMUMS = SCALES + ROWS * LINE;
  static final int PRODUCTS = MINIMUMS + ROWS * LINE;
  static final int TOTALS = PRODUCTS + LONG_STEP / 16 * ROWS * LINE;
  static final int BLOCKS = TOTALS + ROWS * LINE;

  /** What the largest layout takes: Q2_K's, with a sum for each of 16 values. */
  static final int SIZE =
      BLOCKS + FewLayout.MOST_VALUES / LONG_STEP * new AmxLayout(LONG_STEP, 16).blockBytes();

  static AmxLayout of(Kind kind) {
    int sums =
        switch (kind.minimums()) {
          case NONE -> 0;
          case FLOATS -> kind.shared() / kind.run();
          case WORDS -> Panel.PAIRS;
        };
    return new AmxLayout(kind.shared(), sums);
  }

  boolean isLong() {
    return shared == LONG_STEP;
  }

  /** The values that are unpacked at once. */
  int step() {
    return isLong() ? LONG_STEP : SHORT_STEP;
  }

  /** Where in a block the bytes from a value on are. */
  int x(int value) {
    return TOKENS * value;
  }

  int scale() {
    return x(shared);
  }

  int sum(int index) {
    return scale() + LINE * (1 + index);
  }

  int blockBytes() {
    return sum(sums);
  }
}
