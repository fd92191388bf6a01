package weft.cpu.kernel.product;

/**
 * How a few tokens lie side by side in a register, and what a worker's scratch memory holds while
 * packed rows meet them.
 *
 * <p>A register holds {@link #width} bytes of each token: eight tokens have four bytes in 256 bits,
 * four tokens eight. The same bytes of a weight row, broadcast, meet them all at once.
 *
 * <pre>
 *   bytes    [8 rows][256]             unpacked weights, unsigned, or as words
 *   scales   [8 rows][32] floats       their scales, and behind them the minimums
 *   results  16 floats                 a row's results before they go to each token's
 *   waiting  [8 rows][16] floats       what earlier values came to, while 256 more are summed
 *   blocks   [k/32] of
 *     x      [32/width][tokens][width] bytes
 *     scale  [tokens][width/4] floats  the same in each lane of a token
 *     sums   [32/run][tokens][width/4] in a token's first lane an integer: what the sums begin with,
 *                                      or, where the format has minimums, what they multiply
 * </pre>
 *
 * @param tokens a power of two
 * @param bits of a register
 * @param run values under one scale of the weights: 32 or 16
 * @param meet whether x and weights are bytes or words
 */
public record FewLayout(int tokens, int bits, int run, Meet meet) {
  /** What weights and activations are while they meet. */
  enum Meet {
    BYTES(1),
    /** Where bytes would overflow: signed, and nothing takes a zero back. */
    WORDS(2);

    private final int bytes;

    Meet(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  static final int BLOCK = 32;

  /** The values of a row that are unpacked at once. */
  static final int STEP = 256;

  static final int MOST_ROWS = 8;

  /** The longest rows whose activations the scratch memory holds. */
  public static final int MOST_VALUES = 32768;

  static final int BYTES = 0;
  static final int SCALES = BYTES + MOST_ROWS * STEP * Meet.WORDS.bytes();
  static final int SCALE_ROW = 128;
  static final int RESULTS = SCALES + MOST_ROWS * SCALE_ROW;
  static final int WAITING = RESULTS + 64;
  static final int WAITING_ROW = 64;
  static final int BLOCKS = WAITING + MOST_ROWS * WAITING_ROW;

  /** What the largest layout takes. */
  public static final int SIZE =
      BLOCKS + MOST_VALUES / BLOCK * new FewLayout(16, 512, 16, Meet.BYTES).blockBytes();

  /** Bytes of a token in a register. */
  int width() {
    return length() / tokens;
  }

  /** Bytes in a register. */
  int length() {
    return bits / 8;
  }

  /** Registers of activations in a block. */
  int groups() {
    return BLOCK * meet.bytes() / width();
  }

  /** Bytes of 256 unpacked values. */
  int rowBytes() {
    return STEP * meet.bytes();
  }

  /** Where, in a row of scales, the minimums are. */
  int minimums() {
    return 4 * STEP / run;
  }

  int runs() {
    return BLOCK / run;
  }

  /** Where, from the beginning of a block, the scales of the activations are. */
  int scale() {
    return groups() * length();
  }

  int sum(int run) {
    return scale() + length() * (1 + run);
  }

  int blockBytes() {
    return sum(runs());
  }
}
